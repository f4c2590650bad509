import type { APIEmbed } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { mentionCommands } from "#src/ui/command-mentions.ts";
import { safe } from "#src/ui/format.ts";

const ids = new Map([
  ["vendas", "11"],
  ["conta ver", "12"],
]);

const written = (text: string): string | undefined =>
  mentionCommands({ embeds: [{ description: text }] }, ids).embeds?.[0]?.description;

test.each([
  ["`/vendas`", "</vendas:11>"],
  ["**`/vendas`** ou `/conta ver`.", "**</vendas:11>** ou </conta ver:12>."],
  ["`/vendas data:ontem`", "</vendas:11> `data:ontem`"],
  ["`/conta ver tudo: já`", "</conta ver:12> `tudo: já`"],
])("%s becomes a mention", (text, mention) => {
  expect(written(text)).toBe(mention);
});

test.each([
  ["a command without an id", "`/saldo`"],
  ["a command that is only its subcommands", "`/conta`"],
  ["other code", "`data`"],
  ["a longer code span", "```\n`/vendas`\n```".replaceAll("\n", "")],
  ["a stranger's text", safe("/vendas", 100)],
])("%s stays as it is", (_, text) => {
  expect(written(text)).toBe(text);
});

test("without ids nothing changes", () => {
  const message = { content: "`/vendas`", embeds: [{ description: "`/vendas`" }] };
  expect(mentionCommands(message, new Map())).toBe(message);
});

test("only the content, descriptions and values of fields hold mentions", () => {
  const code = "`/vendas`";
  const embed: APIEmbed = {
    title: code,
    description: code,
    footer: { text: code },
    fields: [{ name: code, value: code }],
  };
  const mention = "</vendas:11>";
  expect(mentionCommands({ content: code }, ids)).toEqual({ content: mention });
  expect(mentionCommands({ content: code, embeds: [embed] }, ids)).toEqual({
    content: mention,
    embeds: [{ ...embed, description: mention, fields: [{ name: code, value: mention }] }],
  });
});

describe("Discord's limits", () => {
  test("keep code in a text that mentions would make too long", () => {
    const value = "`/vendas`".padEnd(1_024, "x");
    const embeds = [{ fields: [{ name: "n", value }] }];
    expect(mentionCommands({ embeds }, ids)).toEqual({ embeds });
  });

  test("keep code in a content that mentions would make too long", () => {
    const content = "`/vendas`".padEnd(2_000, "x");
    expect(mentionCommands({ content }, ids)).toEqual({ content });
  });

  test("keep code in a message that mentions would make too large", () => {
    const half = "`/vendas`".padEnd(3_000, "x");
    const embeds = [{ description: half }, { description: half }];
    expect(mentionCommands({ embeds }, ids)).toEqual({ embeds });
  });
});
