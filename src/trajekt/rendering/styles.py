"""Styles of the drawings, as CSS. A page takes `stylesheet(look)` whole, colours included."""

from __future__ import annotations

from trajekt.rendering.colours import themes
from trajekt.rendering.label_placement import GROWN
from trajekt.rendering.theme import Look
from trajekt.rendering.token_symbols import token_css

DASHES = ("", "17 6", "0.01 16", "30 7", "17 5 4 5", "9 4")  # the third is dots: round ends

TINTS = ("yellow", "green", "brown", "grey", "red", "orange")

RULES = """
.map,.tile,.market{font-family:var(--font);font-variant-numeric:tabular-nums;-webkit-font-smoothing:antialiased}
.map text,.tile text,.tok text{text-anchor:middle}
.hx{stroke:var(--hex-line);stroke-width:2}
.t-white{fill:var(--land)}.t-upland{fill:var(--upland)}
.bank{fill:none;stroke:url(#river-bank);stroke-width:24;stroke-linejoin:round}
.water{fill:none;stroke:url(#river-water);stroke-width:19;stroke-linejoin:round}
.g-water{stop-color:var(--water)}.g-bank{stop-color:var(--bank)}
.river-name{font-size:15px;font-style:italic;font-weight:500;fill:var(--water-ink);letter-spacing:3px}
.river-name{dominant-baseline:central}
.wave{fill:none;stroke:#14507F;stroke-width:2.2;stroke-linecap:round}
.houses{fill:none;stroke:var(--hill);stroke-width:2.2;stroke-linejoin:round}
.possible{opacity:.45}
.closed path{stroke:#16181B;stroke-width:2.5}
.closed .bar{stroke-width:6;stroke-linecap:round}
.rev-t.small{font-size:14px}
.wave.on-white,.wave.on-upland{stroke:var(--water-ink)}
.trk{fill:none;stroke:var(--track);stroke-width:10}
.trk.stub,.trk.on-white,.trk.on-upland{stroke:var(--track-land)}
.case{fill:none;stroke-width:17}
.case.on-white,.town-case.on-white{stroke:var(--land)}
.case.on-upland,.town-case.on-upland{stroke:var(--upland)}
.arrow{fill:var(--track)}
.ferry-case{fill:none;stroke:#fff;stroke-width:9}
.ferry{fill:none;stroke:var(--track);stroke-width:5;stroke-dasharray:9 6}
.boat path{fill:#fff;stroke:var(--track);stroke-width:3;stroke-linejoin:round}
.rt-case path{fill:none;stroke:#fff;stroke-width:19}
.rt path,.rt-sample{fill:none;stroke-width:12}
.ring{fill:none;stroke-linecap:round;stroke-linejoin:round}
.ring.c{stroke-width:67}.ring.c.wide1{stroke-width:80}.ring.c.wide2{stroke-width:93}.ring.c.wide3{stroke-width:106}
.ring.b{stroke-width:23}.ring.b.wide1{stroke-width:33}.ring.b.wide2{stroke-width:43}.ring.b.wide3{stroke-width:53}
.ring.d{stroke-width:37}.ring.d.wide1{stroke-width:48}.ring.d.wide2{stroke-width:59}.ring.d.wide3{stroke-width:70}
.ring.v{stroke-width:6}
.city-line,.city-fill{fill:none;stroke-linecap:round;stroke-linejoin:round}
.city-line{stroke:var(--track);stroke-width:55}
.city-fill{stroke:#fff;stroke-width:50}.city-fill.four{fill:#fff}
.slot{fill:#fff;stroke:#C9C6BE;stroke-width:1.6}
.anchor{fill:none;stroke:#14507F;stroke-width:2.6;stroke-linecap:round}.anchor.on-disc{stroke:#fff}
.anchor-disc{fill:#14507F}
.border{fill:none;stroke-width:8}.b-red{stroke:#C3212B}.b-orange{stroke:#EF7F1A}.b-pink{stroke:#E0559B}
.seam{stroke-width:5;stroke-linecap:butt}
.home{stroke:#6A6A66;stroke-width:1.8;stroke-dasharray:4 3.5}
.home.kept{fill:#fff}.home.asleep{fill:#ECE9E1;stroke:#4A4D50}
.home-t{font-size:13px;font-weight:650;fill:#55554F}
.town{fill:none;stroke:var(--track);stroke-width:11}
.town-case{fill:none;stroke-width:16}
.dot{fill:var(--track)}.dot.open{fill:var(--land-ink)}
.port{fill:#fff;fill-opacity:.55;stroke:#23262A;stroke-width:2;stroke-dasharray:5 4}
.kind{fill:none;stroke:var(--track);stroke-width:3;stroke-dasharray:6 3}
.rev{fill:#fff;stroke:#1D2024;stroke-width:1.5}
.rev:not([r="12"]){r:max(16px,min(var(--least)*.75px,18px))}
.rev-t{font-size:max(19px,min(var(--least)*1px,24px));font-weight:600;fill:#16181B;letter-spacing:-.4px}
.name{font-weight:600;fill:var(--tile-ink);paint-order:stroke;stroke-width:5px;stroke-linejoin:round;letter-spacing:-.1px}
.landmark{display:none;font-size:calc(var(--least)*1.25px);font-weight:650;text-anchor:middle;dominant-baseline:central;fill:var(--land-ink);pointer-events:none;
paint-order:stroke;stroke:var(--land);stroke-width:calc(var(--least)*.34px);stroke-linejoin:round}
.letter{font-weight:700;fill:var(--tile-ink)}
:root{--least:0}
.coord{fill:var(--tile-ink);fill-opacity:.74;font-weight:500}
.cost{font-weight:600;fill:#5B4A2C}.cost.wet{fill:#14507F}
.name.on-white,.letter.on-white,.name.on-upland,.letter.on-upland{fill:var(--land-ink)}
.coord.on-white,.coord.on-upland{fill:var(--land-ink);fill-opacity:.66}
.cost.on-white,.cost.on-upland{fill:var(--hill-ink)}.cost.wet.on-white{fill:var(--water-ink)}
.name.on-white{stroke:var(--land)}
.name.on-upland{stroke:var(--upland)}
.hill path{fill:var(--hill-fill);stroke:var(--hill);stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}
.hill .shade{fill:none;stroke-width:1.8}
.val{stroke:#23262A;stroke-width:1}.v-plain{fill:#fff}
.val.off{stroke-opacity:.45;fill-opacity:.55}
.val-frame{fill:none;stroke:#16181B;stroke-width:3.5}
.val-t{font-size:max(18.5px,min(var(--least)*1px,22.5px));font-weight:500;fill:#16181B}
.links .val-t{font-size:18.5px}
.val-t.now{font-weight:800}.val-t.off{fill-opacity:.85}
.pip{fill:none;stroke:#16181B;stroke-width:2}.pip.on{fill:#16181B}
.pill rect{fill:#2B3A4A;stroke:#fff;stroke-width:1.5}
.pill .of{font-size:10.5px;font-weight:500}
.times{font-size:22px;font-weight:700;fill:var(--tile-ink)}
.pill text{font-size:15px;font-weight:700;fill:#fff}
.axis{font-size:max(21px,min(var(--least)*1px,30px));fill:var(--ink3);font-weight:500}
.hit{fill:transparent;stroke:none;pointer-events:all}
.hex{outline:none}
.lit{cursor:pointer}
.lit-edges{fill:none;stroke:var(--may);stroke-width:6;stroke-dasharray:14 8;stroke-dashoffset:-4;pointer-events:none}
.lit-edges .ground{stroke:var(--page);stroke-opacity:.85;stroke-width:10;stroke-dasharray:none}
.lit:hover .hit{stroke:var(--may);stroke-width:6;transform:scale(.96)}
.marked .hit{stroke:var(--turn);stroke-width:8}
.hex:focus-visible .hit{stroke:var(--may);stroke-width:10;stroke-dasharray:none}
.tok text{font-family:var(--font);font-weight:800;letter-spacing:-1px;stroke-width:7;stroke-linejoin:round;paint-order:stroke}
.tok text.bare{stroke:none}
.tok .ground{fill:#5C636B}.tok .part{fill:#3F454C}
.tok .rim{fill:none;stroke:#15171A;stroke-width:4}
.ind path{fill:none;stroke:#fff}
.ind .mine{fill:#1B1D20;stroke-width:1.5}.ind .mill{fill:#34607E;stroke-width:1.5}
.ind .tool{stroke-width:2;stroke-linecap:round}.ind .head{stroke-width:3.2}.ind .works{fill:#fff;stroke:none}
.market .cell rect{fill:var(--fill)}.market .par rect{fill:var(--par)}
.market .from-yellow rect{fill:var(--yellow)}.market .from-green rect{fill:var(--green)}
.market .from-brown rect{fill:var(--brown)}.market .from-grey rect{fill:var(--grey)}
.market [class*="from-"] .price{fill:var(--tile-ink)}
.market .edge rect{fill:none;stroke:var(--line2);stroke-dasharray:3 3}
.market .edge path{fill:none;stroke:var(--ink2);stroke-width:1.6}
.market .price{font-size:10.5px;letter-spacing:-.2px;fill:var(--ink2)}.market .held .price{fill:var(--ink)}
.market .target rect{fill:var(--may-soft);stroke:var(--may);stroke-width:2}.market .target .price{fill:var(--ink)}
.market .cell:focus-visible{outline:none}.market .cell:focus-visible rect{stroke:var(--may);stroke-width:3}
.market .ghost circle{fill:none;stroke:var(--ink);stroke-width:1.8;stroke-dasharray:3.6 2.8}
.market .ghost.chosen circle{fill:var(--may-soft);stroke:var(--may);stroke-width:2.4;stroke-dasharray:none}
.market .ghost text{font-size:8.5px;font-weight:700;text-anchor:middle;fill:var(--ink)}
.market .did circle{fill:var(--ink);stroke:var(--page);stroke-width:1}
.market .did path{fill:none;stroke:var(--page);stroke-width:1.4}
.card-ground{fill:var(--page);stroke:var(--line2)}.card-line{font-family:var(--font);fill:var(--ink)}.name-of{font-weight:650}
.sheet-title{font-family:var(--font);font-size:26px;font-weight:600;fill:var(--ink2)}
.sheet-count{font-family:var(--font);font-size:22px;font-weight:500;fill:var(--ink3);text-anchor:middle}
"""


def stylesheet(look: Look) -> str:
    """All rules that the drawings need, for both themes."""
    return "\n".join((themes(), generated(), RULES.strip(), token_css(look), ""))


def generated() -> str:
    """Rules that repeat for each colour of tiles and each route line."""
    rules = [
        f".t-{colour}{{fill:var(--{colour});stroke:var(--tile-line)}}.name.on-{colour}{{stroke:var(--{colour})}}"
        f".seam.on-{colour}{{stroke:var(--{colour})}}"
        f".case.on-{colour},.town-case.on-{colour}{{stroke:var(--{colour})}}.v-{colour}{{fill:var(--{colour})}}"
        for colour in TINTS
    ]
    # on a small map names grow to the points for which they have room; where that would still be too small they are left out
    rules += [
        f".g{most}{{font-size:max(1em,min(var(--least)*1px,{most}px))}}.map .g{most}{{opacity:calc({most + 1} - var(--least))}}"
        for most in range(12, GROWN + 1)
    ]
    rules += [f".m{most}{{opacity:calc(var(--least) - {most})}}" for most in (0, *range(12, GROWN + 1))]
    for n, dash in enumerate(DASHES, 1):
        lines = f".r{n} path,.rt-sample.r{n}"
        style = f"stroke:var(--route{n})"
        if dash:
            style += f";stroke-dasharray:{dash}"
        if dash.startswith("0"):
            style += ";stroke-linecap:round"
        rules.append(f"{lines}{{{style}}}.q{n}{{stroke:var(--route{n})}}")
    return "\n".join(rules)
