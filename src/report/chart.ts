import {
  LineChart,
  type LineSeriesOption,
  type SankeySeriesOption,
  ScatterChart,
  type ScatterSeriesOption,
} from 'echarts/charts';
import {
  GridComponent,
  type GridComponentOption,
  MarkAreaComponent,
  MarkLineComponent,
} from 'echarts/components';
import { type ComposeOption, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

/** What a chart of a report is described with. */
export type ChartOption = ComposeOption<
  LineSeriesOption | ScatterSeriesOption | SankeySeriesOption | GridComponentOption
>;

/** Width and height of a chart in its own units; a page scales it. */
export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

/** That of a phone, so that the words of a chart can be read there too. */
export const phoneWidth = 400;

/** Draws a chart as SVG that takes its colours from the variables of the page, so that it follows light and dark. */
export function drawChart(option: ChartOption, size: ChartSize): string {
  use([LineChart, ScatterChart, GridComponent, MarkAreaComponent, MarkLineComponent, SVGRenderer]);
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...size });
  try {
    chart.setOption({ animation: false, textStyle: { fontFamily: 'system-ui' }, ...option });
    return strip(chart.renderToSVGString({ useViewBox: true }));
  } finally {
    chart.dispose();
  }
}

/** Axes for values over time. */
export function timeAxes(nameOfValues?: string) {
  const axisLabel = { color: 'var(--muted)', fontSize: 12, hideOverlap: true };
  return {
    grid: { left: 8, right: 16, top: nameOfValues === undefined ? 12 : 28, bottom: 4 },
    xAxis: {
      type: 'time' as const,
      splitNumber: 3,
      axisLabel,
      axisTick: { show: false },
      axisLine: { onZero: false, lineStyle: { color: 'var(--axis)' } },
      splitLine: { show: false },
    },
    yAxis: {
      type: 'value' as const,
      scale: true,
      splitNumber: 2,
      axisLabel: { ...axisLabel, showMaxLabel: nameOfValues === undefined },
      splitLine: { lineStyle: { color: 'var(--grid)' } },
      ...(nameOfValues !== undefined && {
        name: nameOfValues,
        nameTextStyle: { color: 'var(--muted)', align: 'left' as const },
      }),
    },
  } satisfies ChartOption;
}

/** What the style of the page says of every text in a chart. */
const usualText =
  / dominant-baseline="central"| style="(?:font-size:12px;font-family:system-ui;|font: normal normal 12px system-ui)"| fill="var\(--muted\)"/g;

/** Takes away what only a page with scripts could use or a background. */
function strip(svg: string): string {
  return svg
    .replace(/<style[\s\S]*?<\/style>/, '')
    .replaceAll(
      / (?:class|pointer-events|xmlns(?::xlink)?|version|baseProfile|xml:space|ecmeta_\w+)="[^"]*"/g,
      '',
    )
    .replaceAll(usualText, '')
    .replace(/<svg width="\d+" height="\d+"/, '<svg aria-hidden="true"')
    .replace(/<rect [^>]*fill="none"><\/rect>/, '')
    .replaceAll(/>\s+</g, '><')
    .trim();
}
