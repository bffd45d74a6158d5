// A plot drawn: axes, lines, and marks that open the run that they stand for. The table beside it has the same numbers.
import { linePath, markPath } from "./plots";
import type { Plot as PlotOf } from "./plots";
import type { Point } from "./points";

interface Props {
  plot: PlotOf;
  xTitle: string;
  yTitle: string;
  open: (point: Point) => void;
  about: (point: Point) => string;
}

export function Plot({ plot, xTitle, yTitle, open, about }: Props) {
  const { left, right, top, bottom } = plot;
  return (
    <figure class="plot">
      <svg viewBox={`0 0 ${plot.width} ${plot.height}`} role="group" aria-label={`${yTitle} by ${xTitle}; the table has the numbers`}>
        {plot.yTicks.map((t) => (
          <g key={t.label}>
            <line class="grid" x1={left} x2={right} y1={t.at} y2={t.at} />
            <text x={left - 6} y={t.at} text-anchor="end" dominant-baseline="central">
              {t.label}
            </text>
          </g>
        ))}
        {plot.xTicks.map((t) => (
          <g key={t.label}>
            <line class="axis" x1={t.at} x2={t.at} y1={bottom} y2={bottom + 4} />
            <text x={t.at} y={bottom + 16} text-anchor="middle">
              {t.label}
            </text>
          </g>
        ))}
        <line class="axis" x1={left} x2={right} y1={bottom} y2={bottom} />
        <line class="axis" x1={left} x2={left} y1={top} y2={bottom} />
        <text x={(left + right) / 2} y={bottom + 34} text-anchor="middle">
          {xTitle}
        </text>
        {plot.series.map((s) => (
          <g key={s.name} class={`series series-${s.shape % 5}`}>
            <path class="line" d={linePath(s.marks)} />
            {s.marks.map((m, i) => (
              <path
                key={i}
                class={m.point.verdict === "unknown" ? "mark open" : "mark"}
                d={markPath(s.shape, m.x, m.y)}
                role="button"
                tabIndex={0}
                aria-label={`${about(m.point)}; open`}
                onClick={() => open(m.point)}
                onKeyDown={(e) => {
                  if (e.key !== "Enter" && e.key !== " ") return;
                  e.preventDefault();
                  open(m.point);
                }}
              >
                <title>{about(m.point)}</title>
              </path>
            ))}
          </g>
        ))}
      </svg>
      <figcaption class="bar">
        {plot.series.map((s) => (
          <span key={s.name} class={`series series-${s.shape % 5} bar`}>
            <svg viewBox="0 0 16 14" width="16" height="14" aria-hidden="true">
              <path class="mark" d={markPath(s.shape, 8, 7)} />
            </svg>
            {s.name === "" ? yTitle : s.name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
