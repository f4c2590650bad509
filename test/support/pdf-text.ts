import { inflateSync } from "node:zlib";

/** pdfkit's form; a carriage return before the end would belong to the data. */
const STREAM = /stream\n([\s\S]*?)\nendstream/g;
const SHOWN = /\[([^\]]*)\] TJ/g;
const HEXADECIMAL = /<([0-9a-f]*)>/gi;

const windows1252 = new TextDecoder("windows-1252");

const inflated = (stream: string): string => {
  try {
    return inflateSync(Buffer.from(stream, "latin1")).toString("latin1");
  } catch {
    // Some streams are uncompressed.
    return stream;
  }
};

const lineOf = (shown: string): string =>
  [...shown.matchAll(HEXADECIMAL)]
    .map(([, hex]) => windows1252.decode(Buffer.from(hex ?? "", "hex")))
    .join("");

export const pdfText = (pdf: Uint8Array): readonly string[] =>
  [...Buffer.from(pdf).toString("latin1").matchAll(STREAM)].flatMap(([, stream]) =>
    [...inflated(stream ?? "").matchAll(SHOWN)].map(([, shown]) => lineOf(shown ?? "")),
  );
