// @ts-check
// The page of a table: each module owns one gesture or region and keeps no copy of the game.

import { beside } from "./sidebar.js";
import { cubes } from "./beer_cubes.js";
import { deeds } from "./action_form.js";
import { past } from "./history.js";
import { keys } from "./keyboard.js";
import { open, pan } from "./pan_zoom.js";
import { panels } from "./panels.js";
import { followLog } from "./regions.js";
import { rules } from "./rules.js";
import { seating } from "./seats.js";
import { settings } from "./settings.js";
import { sketches } from "./route_drawing.js";
import { stream } from "./event_stream.js";
import { tiles } from "./tile_picker.js";

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
