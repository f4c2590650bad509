import fc from "fast-check";

/** Typical attacks, and text that breaks text handling by accident. */
const TRICKS = [
  "@everyone",
  "@here",
  "<@1092746381520374835>",
  "<@&118>",
  "<#118>",
  "</vendas:1>",
  "<t:0:F>",
  "<a:x:1>",
  "https://evil.example",
  "[texto](https://evil.example)",
  "<https://evil.example>",
  "discord.gg/evil",
  "`",
  "``",
  "```",
  "\u1fef",
  "\uff40",
  "\u02cb",
  "\\",
  "\\`",
  "**",
  "||",
  "~~",
  "__",
  "_",
  "*",
  "\n",
  "\r\n# ",
  "\n> ",
  "\n- ",
  "\u2028",
  "\u2029",
  "\u0085",
  "\t",
  "\u0000",
  "\u001b[31m",
  "\u007f",
  "\u009b",
  "\u202e",
  "\u202a",
  "\u2066",
  "\u2069",
  "\u200e",
  "\u200f",
  "\u061c",
  "\u200b",
  "\u200c",
  "\u200d",
  "\u2060",
  "\ufeff",
  "\u00ad",
  "\u034f",
  "\u115f",
  "\u3164",
  "\uffa0",
  "\ufe0f",
  "\u{e0100}",
  "\u{e0041}",
  "\u{e007f}",
  "\ud800",
  "\udc00",
  "e\u0301",
  "e\u200d\u0301",
  "👩\u200d👩\u200d👧",
  "🇧🇷",
  "ﷺ",
  "\u0300\u0301\u0302",
  " ",
  "\u3000",
  "\u00a0",
  "João",
  "x".repeat(300),
];

const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ff_ff })
  .map((point) => String.fromCodePoint(point));

/** As `unit: "binary"` of fast-check, which takes most of a second to be built. */
export const wholeCharacter = anyCharacter.filter((character) => character.isWellFormed());

/** Any characters, including unpaired surrogates. */
export const anyText: fc.Arbitrary<string> = fc
  .array(anyCharacter, { maxLength: 24 })
  .map((characters) => characters.join(""));

/** Attacks between ordinary and arbitrary characters. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.oneof({ arbitrary: fc.constantFrom(...TRICKS), weight: 3 }, anyCharacter), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => parts.join(""));
