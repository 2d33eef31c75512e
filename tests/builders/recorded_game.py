"""The game that three people played at 18xx.games: where its file lies, and its checkpoints (rule sheet, section 19)."""

from __future__ import annotations

RECORDED = "recorded/18rhl-first-edition-2026.json"

CHECKPOINTS = """
SR 1 | 14 | P3 | P1 425, P2 435, P3 460 | RhE 80/140/ | 7540
SR 2 | 47 | P3 | P1 55, P2 70, P3 60 | DEE 80/350/2; GVE 80/360/2+2; RhE 80/280/2 | 7825
SR 3 | 76 | P2 | P1 115, P2 135, P3 96 | DEE 80/374/2; GVE 80/315/2+2; RhE 80/130/2+2 | 7835
SR 4 | 104 | P2 | P1 101, P2 125, P3 87 | DEE 80/372/2+2; GVE 80/405/2+2; RhE 90/460/2+2 | 7450
SR 5 | 130 | P3 | P1 130, P2 127, P3 166 | DEE 80/393/2+2; GVE 90/429/2+2; RhE 100/350/2+2+3 | 7405
SR 6 | 173 | P3 | P1 410, P2 352, P3 391 | DEE 100/443/2+2; GVE 110/283/2+2+3; RhE 120/320/2+2+3 | 6801
SR 7 | 260 | P3 | P1 375, P2 42, P3 416 | ADR 60/0/5; BME 80/240/3; CCE 90/255/3; DEE 100/5/3+4; GVE 120/45/3+4; RhE 150/20/3+4 | 7602
SR 8 | 360 | P3 | P1 857, P2 881, P3 526 | ADR 70/25/5; BME 75/145/5; CCE 100/112/5; DEE 110/181/4+6; GVE 150/209/4; RhE 135/430/4 | 5634
SR 9 | 509 | P1 | P1 2162, P2 2051, P3 1874 | ADR 80/25/5; BME 100/0/5+6; CCE 135/468/5; CME 110/140/8; DEE 120/51/6+6; GVE 180/79/6; KEG 110/140/8; RhE 150/90/6 | 1920
End | 627 |  | P1 5464, P2 5164, P3 5235 | ADR 110/25/5; BME 135/536/5+6; CCE 180/172/5+6; CME 150/60/8; DEE 165/51/6+6; GVE 240/79/6; KEG 150/140/8; RhE 200/90/6 | -8016
"""  # noqa: E501  the table of section 19.4 as it stands there
