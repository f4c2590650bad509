import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { safe } from "#src/views/format.ts";
import { hostileText } from "../support/any-text.ts";

describe("a stranger's text", () => {
  test.each([
    ["a plain name", "João da Silva", "`João da Silva`"],
    ["a mention of everybody", "@everyone", "`@everyone`"],
    ["back-ticks", "a``b```c", "`a''b'''c`"],
    ["the Greek mark that composes to a back-tick", "a\u1fefb", "`a'b`"],
    ["lines and tabs", " a\r\n\tb\u2028c ", "`a b c`"],
    ["a bidirectional override", "gpj.\u202eexe", "`gpj.exe`"],
    ["invisible marks and tags", "a\u200b\u{e0041}\ufe0f\u00ad\u3164b", "`ab`"],
    ["halves of a pair", "a\ud800b\udc00", "`ab`"],
    ["terminal colours", "\u001b[31mred", "`[31mred`"],
    ["an accent behind a hidden mark", "e\u200d\u0301", "`é`"],
    ["nothing at all", "", "`—`"],
    ["nothing that can be seen", "\u200b \u202e", "`—`"],
  ])("with %s is one readable line of code", (_, text, shown) => {
    expect(safe(text, 100)).toBe(shown);
  });

  test("is cut between characters, with a sign that something is missing", () => {
    expect(safe("👩🇧🇷abcdef", 5)).toBe("`👩🇧🇷a…`");
    expect(safe("abcde", 5)).toBe("`abcde`");
  });

  test("is always one span of code with nothing hidden in it, whatever it was", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 60 }), (text, max) => {
        const shown = safe(text, max);
        expect(shown).toMatch(
          /^`[^`\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]+`$/u,
        );
        expect(shown).not.toMatch(/^`\s|\s`$|\s{2}/);
        expect(shown).toBe(shown.normalize("NFC"));
        expect(Array.from(shown).length).toBeLessThanOrEqual(max + 2);
      }),
      { numRuns: 50_000 },
    );
  });
});
