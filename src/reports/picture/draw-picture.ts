import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";
import { Resvg } from "@resvg/resvg-js";
import type { ChartBar, SalesChart } from "../sales-chart.ts";

/** A phone shows less than half of these pixels: the letters are large for that. */
const PICTURE_WIDTH = 720;
const HEIGHT = 420;
const EDGE = 28;
const TOP = 150;
const BOTTOM = HEIGHT - 56;
const LEFT = 112;
const RIGHT = PICTURE_WIDTH - EDGE;

/** An opaque ground of its own reads the same in dark and in light clients. */
const COLOR = {
  ground: "#16201d",
  line: "#33443f",
  ink: "#f2f7f5",
  soft: "#a9bab4",
  now: "#3ddc97",
  before: "#5d756d",
} as const;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (mark) => `&#${mark.codePointAt(0)};`);

const round = (value: number): number => Math.round(value * 10) / 10;

/** The size at which the text fits: letters are a little more than half as wide as high. */
const fitting = (text: string, width: number, size: number): number =>
  round(Math.min(size, width / (text.length * 0.56)));

interface TextParts {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly color: string;
  readonly bold?: boolean;
  readonly anchor?: "start" | "middle" | "end";
}

const textAt = (words: string, { x, y, size, color, bold = false, anchor = "start" }: TextParts) =>
  `<text x="${round(x)}" y="${round(y)}" font-family="Lato" font-size="${size}" font-weight="${bold ? 700 : 400}" fill="${color}" text-anchor="${anchor}">${escaped(words)}</text>`;

const rect = (x: number, y: number, width: number, height: number, more: string): string =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" ${more}/>`;

const legend = ([now, before]: SalesChart["legend"]): string => {
  const y = 108;
  const size = 24;
  const mark = (x: number, color: string) => rect(x, y - 17, 18, 18, `rx="4" fill="${color}"`);
  const first = mark(EDGE, COLOR.now) + textAt(now, { x: EDGE + 28, y, size, color: COLOR.soft });
  if (before === null) return first;
  const at = EDGE + 28 + now.length * size * 0.52 + 30;
  return (
    first + mark(at, COLOR.before) + textAt(before, { x: at + 28, y, size, color: COLOR.soft })
  );
};

/** The figures of before stand behind, a little wider; a missing day is a question mark. */
const bars = (chart: SalesChart, heightOf: (sales: number) => number): string => {
  const step = (RIGHT - LEFT) / chart.bars.length;
  const width = Math.min(step * 0.56, 64);
  const every = Math.ceil(chart.bars.length / 11);
  const size = 24;
  const one = (bar: ChartBar, place: number): string => {
    const middle = LEFT + step * (place + 0.5);
    const label =
      place % every === 0
        ? textAt(bar.label, {
            x: middle,
            y: BOTTOM + 30,
            size,
            color: COLOR.soft,
            anchor: "middle",
          })
        : "";
    return before(bar, middle) + now(bar, middle) + label;
  };
  const before = ({ before: sales }: ChartBar, middle: number): string => {
    if (sales === undefined || sales <= 0) return "";
    const [wide, high] = [width * 1.45, heightOf(sales)];
    return rect(middle - wide / 2, BOTTOM - high, wide, high, `rx="4" fill="${COLOR.before}"`);
  };
  const now = ({ sales, open }: ChartBar, middle: number): string => {
    const x = middle - width / 2;
    if (sales === undefined) {
      const size = Math.min(step * 1.4, 28);
      return textAt("?", {
        x: middle,
        y: BOTTOM - 8,
        size,
        color: COLOR.ink,
        bold: true,
        anchor: "middle",
      });
    }
    const high = Math.max(heightOf(sales), 2);
    const fill = open
      ? `fill="${COLOR.now}" fill-opacity="0.35" stroke="${COLOR.now}" stroke-width="3"`
      : `fill="${COLOR.now}"`;
    return rect(x, BOTTOM - high, width, high, `rx="4" ${fill}`);
  };
  return chart.bars.map(one).join("");
};

/** The picture's SVG, from amounts and words of ours. */
export const chartSvg = (chart: SalesChart): string => {
  const most = Math.max(
    ...chart.bars.flatMap(({ sales = 0, before = 0 }) => [sales, before]),
    ...chart.axis.map(({ sales }) => sales),
    1,
  );
  const heightOf = (sales: number): number => (Math.max(sales, 0) / most) * (BOTTOM - TOP);
  const lines = chart.axis.map(({ sales, label }) => {
    const y = BOTTOM - heightOf(sales);
    return (
      rect(LEFT, y, RIGHT - LEFT, 2, `fill="${COLOR.line}"`) +
      textAt(label, {
        x: LEFT - 12,
        y: y + 8,
        size: fitting(label, LEFT - 20, 22),
        color: COLOR.soft,
        anchor: "end",
      })
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${PICTURE_WIDTH} ${HEIGHT}">`,
    rect(0, 0, PICTURE_WIDTH, HEIGHT, `fill="${COLOR.ground}"`),
    textAt(chart.headline, {
      x: EDGE,
      y: 64,
      size: fitting(chart.headline, PICTURE_WIDTH - 2 * EDGE, 50),
      color: COLOR.ink,
      bold: true,
    }),
    legend(chart.legend),
    ...lines,
    rect(LEFT, BOTTOM, RIGHT - LEFT, 2, `fill="${COLOR.soft}"`),
    bars(chart, heightOf),
    "</svg>",
  ].join("");
};

const fontFiles = [
  import.meta.resolve("@expo-google-fonts/lato/400Regular/Lato_400Regular.ttf"),
  import.meta.resolve("@expo-google-fonts/lato/700Bold/Lato_700Bold.ttf"),
].map((address) => fileURLToPath(address));

/** A part of a PNG: length, type, data and checksum. */
const chunk = (type: string, data: Uint8Array): Buffer => {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length);
  framed.set(typed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
};

/** The rows of the PNG before compression, each behind the byte that says "no filter". */
const unfiltered = new Uint8Array((PICTURE_WIDTH * 4 + 1) * HEIGHT);

/**
 * A PNG of RGBA pixels (W3C, PNG third edition, 5, 9 and 11.2): the library's own `asPng` takes four times as long for as
 * many bytes.
 */
const pngOf = (pixels: Uint8Array): Uint8Array => {
  const row = PICTURE_WIDTH * 4;
  for (let y = 0; y < HEIGHT; y += 1)
    unfiltered.set(pixels.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(PICTURE_WIDTH);
  header.writeUInt32BE(HEIGHT, 4);
  // Eight bits for each of red, green, blue and alpha.
  header.set([8, 6], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(unfiltered, { level: 3, chunkSize: 65_536 })),
    chunk("IEND", new Uint8Array()),
  ]);
};

/** A PNG. The bot brings the font, because a bare machine has none. */
export const drawPicture = (chart: SalesChart): Uint8Array => {
  const drawn = new Resvg(chartSvg(chart), {
    fitTo: { mode: "width", value: PICTURE_WIDTH },
    font: {
      loadSystemFonts: false,
      fontFiles,
      defaultFontFamily: "Lato",
    },
  }).render();
  return pngOf(drawn.pixels);
};
