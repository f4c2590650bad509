import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseMarkdown } from "#src/sandbox/page/client/markdown.ts";
import type { Piece } from "#src/sandbox/page/client/markdown.ts";

const text = (value: string): Piece => ({ kind: "text", text: value });

/** All pieces, those inside others too. */
const allOf = (pieces: readonly Piece[]): readonly Piece[] =>
  pieces.flatMap((piece) => ("pieces" in piece ? [piece, ...allOf(piece.pieces)] : [piece]));

describe("text of a message", () => {
  test("bold, code and the rest stand beside plain text", () => {
    expect(parseMarkdown("a **b `c`** d")).toEqual([
      text("a "),
      { kind: "bold", pieces: [text("b "), { kind: "code", text: "c" }] },
      text(" d"),
    ]);
  });

  test("inside code nothing is markdown", () => {
    expect(parseMarkdown("`**a** <@118000000000000000>`")).toEqual([
      { kind: "code", text: "**a** <@118000000000000000>" },
    ]);
    expect(parseMarkdown("```js\n<b>*x*</b>\n```")).toEqual([
      { kind: "block", text: "<b>*x*</b>" },
    ]);
  });

  test("a backslash takes a sign's meaning away", () => {
    expect(parseMarkdown("\\*a\\*").map((piece) => ("text" in piece ? piece.text : "?"))).toEqual([
      "*",
      "a",
      "*",
    ]);
  });

  test("mentions and times are recognised by their ids and seconds", () => {
    expect(parseMarkdown("<@1180000000000000201><#1180000000000000102><t:1795282200:R>")).toEqual([
      { kind: "mention", of: "user", id: "1180000000000000201" },
      { kind: "mention", of: "channel", id: "1180000000000000102" },
      { kind: "time", seconds: 1_795_282_200, style: "R" },
    ]);
  });

  test("lists, quotes and headings belong to their line only", () => {
    expect(parseMarkdown("- um\n> dois\n# três\nfim - não").map(({ kind }) => kind)).toEqual([
      "bullet",
      "quote",
      "heading",
      "text",
    ]);
  });

  test("an underscore inside a word is no emphasis", () => {
    expect(parseMarkdown("sk_sandbox_ana")).not.toContainEqual(
      expect.objectContaining({ kind: "italic" }),
    );
  });

  test("only https addresses become links", () => {
    const hostile = "[a](javascript:alert(1)) [b](http://x.example) [c](data:text/html,x) ftp://y";
    expect(parseMarkdown(hostile).filter(({ kind }) => kind === "link")).toEqual([]);
    expect(parseMarkdown("veja https://x.example/a?b=c.")).toContainEqual({
      kind: "link",
      url: "https://x.example/a?b=c",
      pieces: [text("https://x.example/a?b=c")],
    });
  });

  test("any text at all is read to its end, and no link but https comes out", () => {
    const signs = fc.constantFrom("*", "_", "`", "~", "<", ">", "[", "](", ")", "\\", "\n", "a");
    const some = fc.oneof(signs, fc.constantFrom("https://", "<@1", "- ", "# "), fc.string());
    fc.assert(
      fc.property(fc.array(some, { maxLength: 60 }), (parts) => {
        for (const piece of allOf(parseMarkdown(parts.join("")))) {
          if (piece.kind === "link") expect(piece.url).toMatch(/^https:\/\//);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("letters and spaces come through whole", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zç ]*$/), (plain) => {
        const read = parseMarkdown(plain).map((piece) => ("text" in piece ? piece.text : ""));
        expect(read.join("")).toBe(plain);
      }),
    );
  });
});
