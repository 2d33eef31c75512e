// @ts-check
// The page of a table: each module owns one gesture or region and keeps no copy of the game.

import { beside } from "./beside.js";
import { cubes } from "./cubes.js";
import { deeds } from "./deed.js";
import { past } from "./history.js";
import { keys } from "./keys.js";
import { open, pan } from "./pan.js";
import { panels } from "./panels.js";
import { followLog } from "./regions.js";
import { rules } from "./rules.js";
import { seating } from "./seats.js";
import { settings } from "./settings.js";
import { sketches } from "./sketch.js";
import { stream } from "./stream.js";
import { tiles } from "./tiles.js";

settings();
rules();
pan();
panels();
tiles();
sketches();
cubes();
deeds();
past();
keys();
seating();
beside();
stream();
followLog();
if (matchMedia("(max-width: 760px)").matches) document.addEventListener("regions", open);
document.documentElement.dataset.ready = "yes";
