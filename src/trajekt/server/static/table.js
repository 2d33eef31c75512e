// @ts-check
// The page of a table: each module owns one gesture or region and keeps no copy of the game.

import { initActionForm } from "./action_form.js";
import "./cards.js";
import { initCoach } from "./coach.js";
import { initCubes } from "./beer_cubes.js";
import { initExercises } from "./exercises.js";
import { initEventStream } from "./event_stream.js";
import { initHistory } from "./history.js";
import { initKeyboard } from "./keyboard.js";
import { initLogBatches } from "./log_batches.js";
import { initMarketStacks } from "./market_stacks.js";
import { initPanZoom, openMap } from "./pan_zoom.js";
import { initPanels } from "./panels.js";
import "./play_again.js";
import { address, followLog } from "./regions.js";
import { initRoving } from "./roving.js";
import { initRouteDrawing } from "./route_drawing.js";
import { initSeats } from "./seats.js";
import { initSettings } from "./settings.js";
import { initSidebar } from "./sidebar.js";
import { initTilePicker } from "./tile_picker.js";
import { initTurnCall } from "./turn_call.js";
import { initViewSettings } from "./view_settings.js";

initSettings();
initPanZoom();
initPanels();
initTilePicker();
initRouteDrawing();
initCubes();
initActionForm();
initHistory();
initLogBatches(address);
initMarketStacks();
initKeyboard();
initRoving();
initSeats();
initSidebar();
initCoach();
initExercises();
initTurnCall();
initViewSettings();
initEventStream();
followLog();
if (matchMedia("(max-width: 760px)").matches) document.addEventListener("regions", openMap);
document.documentElement.dataset.ready = "yes";
