import { PNG } from "pngjs";
import { describe, expect, test } from "vitest";
import { cents } from "#src/shared/money.ts";
import { chartSvg } from "#src/reports/picture/draw-picture.ts";
import { createPictureMaker } from "#src/reports/picture/make-picture.ts";
import { axisSteps, type ChartBar, type SalesChart } from "#src/reports/sales-chart.ts";

const chartOf = (
  sales: readonly (number | undefined)[],
  given: Partial<SalesChart> = {},
): SalesChart => ({
  headline: "R$\u00a01.234,56",
  legend: ["14/11 a 20/11", "período anterior"],
  bars: sales.map((each, place): ChartBar => ({
    label: String(place + 1),
    sales: each === undefined ? undefined : cents(each),
    before: cents(500),
    open: false,
  })),
  axis: axisSteps(cents(1_000)).map((step) => ({ sales: cents(step), label: String(step) })),
  ...given,
});

const PIXEL = 4;

/** Width, height and the colours of the pixels, as `rrggbbaa`. */
const readPng = (png: Uint8Array) => {
  const { width, height, data } = PNG.sync.read(Buffer.from(png));
  const colors = Array.from({ length: width * height }, (_, place) =>
    data.toString("hex", place * PIXEL, place * PIXEL + PIXEL),
  );
  return { width, height, colors };
};
const GREEN = "3ddc97ff";
const GREY = "5d756dff";
const count = (colors: readonly string[], color: string) =>
  colors.filter((each) => each === color).length;

describe("the picture of a period", () => {
  const make = createPictureMaker();

  test("is a PNG of 720 by 420 opaque pixels, whose bars are as high as the sales", async () => {
    const whole = readPng(await make(chartOf([1_000, 1_000, 1_000])));
    const half = readPng(await make(chartOf([500, 500, 500])));
    const none = readPng(await make(chartOf([0, 0, undefined])));
    expect([whole.width, whole.height]).toEqual([720, 420]);
    expect(whole.colors.every((color) => color.endsWith("ff"))).toBe(true);
    const green = [whole, half, none].map(({ colors }) => count(colors, GREEN));
    expect(green[0]! / green[1]!).toBeGreaterThan(1.9);
    expect(green[0]! / green[1]!).toBeLessThan(2.1);
    expect(green[2]).toBeLessThan(green[1]! / 10);
    expect(count(half.colors, GREY)).toBeGreaterThan(1_000);
  });

  test("has letters: the same bars under other words are other pixels", async () => {
    const [one, other, empty] = await Promise.all(
      ["R$ 1", "R$ 8", " "].map((headline) => make(chartOf([900, 100], { headline }))),
    );
    expect(Buffer.compare(one!, other!)).not.toBe(0);
    expect(count(readPng(one!).colors, "f2f7f5ff")).toBeGreaterThan(100);
    expect(count(readPng(empty!).colors, "f2f7f5ff")).toBe(0);
  });

  test("of a month of any figures stays below 40 KB", async () => {
    const sales = Array.from({ length: 31 }, (_, place) => ((place * 7_919) % 1_000) + 1);
    expect((await make(chartOf(sales))).byteLength).toBeLessThan(40 * 1_024);
  });

  test("is drawn once for the same content, and again for other content", async () => {
    const drawn: string[] = [];
    const keeping = createPictureMaker(async ({ headline }) => {
      drawn.push(headline);
      return new Uint8Array([drawn.length]);
    });
    for (const headline of ["a", "a", "b", "a"]) await keeping(chartOf([1], { headline }));
    expect(drawn).toEqual(["a", "b"]);
    for (let place = 0; place < 24; place += 1)
      await keeping(chartOf([1], { headline: String(place) }));
    await keeping(chartOf([1], { headline: "a" }));
    expect(drawn.at(-1)).toBe("a");
  });

  test("is drawn once for all who ask at the same time, and refused behind ten others", async () => {
    const drawn: string[] = [];
    const slow = Promise.withResolvers<Uint8Array>();
    const busy = createPictureMaker(({ headline }) => {
      drawn.push(headline);
      return slow.promise;
    });
    const ask = (headline: string) => busy(chartOf([1], { headline }));
    const asked = Array.from({ length: 20 }, (_, place) => ask(String(place % 10)));
    expect(drawn).toHaveLength(10);
    await expect(ask("another")).rejects.toThrow("Too many");
    slow.resolve(new Uint8Array([1]));
    expect(await Promise.all(asked)).toHaveLength(20);
    expect(await ask("another")).toEqual(new Uint8Array([1]));
  });

  test("that fails leaves the next one to be drawn", async () => {
    const broken = chartOf([1], { headline: "\u0000" });
    await expect(make(broken)).rejects.toThrow(/./);
    expect((await make(chartOf([7]))).byteLength).toBeGreaterThan(1_000);
  });

  test("takes words as words, not as markup", () => {
    const svg = chartSvg(chartOf([1], { headline: `</text><script>"&'` }));
    expect(svg).not.toContain("<script");
    expect(svg).toContain("&#60;/text&#62;&#60;script&#62;&#34;&#38;&#39;");
  });

  test.each([0, 1, 99, 100, 101, 123_456, 9_000_000_000_000])(
    "of at most %i centavos has an axis that ends above it",
    (largest) => {
      const [half = 0, top = 0] = axisSteps(cents(largest));
      expect(top).toBeGreaterThanOrEqual(largest);
      expect(top).toBeGreaterThan(half);
      expect(top).toBeLessThanOrEqual(Math.max(largest * 2, 4));
    },
  );
});
