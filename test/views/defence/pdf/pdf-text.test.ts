import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { pdfText } from "../../../support/pdf-text.ts";

const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;

/** The drawing of a text whose compressed form ends with that byte, and the text. */
const drawnEndingWith = (byte: number): readonly [drawn: Uint8Array, text: string] => {
  for (let n = 0; n < 10_000; n += 1) {
    const text = `line ${n}`;
    const drawn = deflateSync(`[<${Buffer.from(text).toString("hex")}>] TJ`);
    if (drawn.at(-1) === byte) return [drawn, text];
  }
  throw new Error("None of them ends so");
};

/** One drawing in 256 ends so, and a test that then finds no text would fail once in a while. */
test.each([
  ["a carriage return", CARRIAGE_RETURN],
  ["a line feed", LINE_FEED],
])("a drawing whose last byte is %s is read like any other", (_what, byte) => {
  const [drawn, text] = drawnEndingWith(byte);
  const pdf = Buffer.concat([Buffer.from("stream\n"), drawn, Buffer.from("\nendstream\n")]);
  expect(pdfText(pdf)).toEqual([text]);
});
