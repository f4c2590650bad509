import { expect, test } from "vitest";
import { CHANNELS } from "#src/sandbox/world.ts";
import { checkCallback } from "#src/sandbox/discord/limits/interaction-callback.ts";
import { collectProblems } from "#src/sandbox/discord/limits/checks.ts";
import { checkMessage } from "#src/sandbox/discord/limits/message.ts";
import { startDiscord } from "./running.ts";

const VENDAS = `/channels/${CHANNELS.vendas.id}/messages`;

/** A body that Discord refuses, the path of the error, and the error's code. */
type RefusedBody = readonly [claim: string, body: object, at: string, code: string];

const many = <Item>(count: number, item: (n: number) => Item): Item[] =>
  Array.from({ length: count }, (_, n) => item(n));

const long = (length: number): string => "é".repeat(length);

const errorsAt = (errors: unknown, at: string): unknown =>
  at
    .split(".")
    .concat("_errors")
    .reduce<unknown>((level, key) => (level as Record<string, unknown> | undefined)?.[key], errors);

const postProblems = (body: object) => {
  const problems = collectProblems();
  checkMessage(body, [], "channel", [], problems);
  return problems.nested();
};

const testRefused = (bodies: readonly RefusedBody[]): void =>
  test.for(bodies)("a post is refused: %s", ([, body, at, code]) => {
    expect(errorsAt(postProblems(body), at)).toMatchObject([{ code }]);
  });

const testTaken = (bodies: readonly (readonly [claim: string, body: object])[]): void =>
  test.for(bodies)("a post at the limit is taken: %s", ([, body]) => {
    expect(postProblems(body)).toEqual({});
  });

test("a post that is refused says where and why, and is not made", async () => {
  const { rest, discord } = await startDiscord();
  const answer = await rest("POST", VENDAS, { content: long(2001) });
  expect(answer).toMatchObject({
    status: 400,
    body: {
      code: 50035,
      message: "Invalid Form Body",
      errors: { content: { _errors: [{ code: "BASE_TYPE_MAX_LENGTH" }] } },
    },
  });
  expect(discord.messages(CHANNELS.vendas.id)).toEqual([]);
});

const withEmbed = (embed: object): object => ({ embeds: [embed] });
const field = (more: object = {}): object => ({ name: "n", value: "v", ...more });

const refusedBodies: readonly RefusedBody[] = [
  ["content over 2000", { content: long(2001) }, "content", "BASE_TYPE_MAX_LENGTH"],
  ["content that is no text", { content: 5 }, "content", "STRING_TYPE_CONVERT"],
  ["11 embeds", { embeds: many(11, () => ({ title: "t" })) }, "embeds", "BASE_TYPE_MAX_LENGTH"],
  ["title over 256", withEmbed({ title: long(257) }), "embeds.0.title", "BASE_TYPE_MAX_LENGTH"],
  [
    "description over 4096",
    withEmbed({ description: long(4097) }),
    "embeds.0.description",
    "BASE_TYPE_MAX_LENGTH",
  ],
  [
    "26 fields",
    withEmbed({ fields: many(26, () => field()) }),
    "embeds.0.fields",
    "BASE_TYPE_MAX_LENGTH",
  ],
  [
    "field name over 256",
    withEmbed({ fields: [field({ name: long(257) })] }),
    "embeds.0.fields.0.name",
    "BASE_TYPE_BAD_LENGTH",
  ],
  [
    "field value over 1024",
    withEmbed({ fields: [field(), field({ value: long(1025) })] }),
    "embeds.0.fields.1.value",
    "BASE_TYPE_BAD_LENGTH",
  ],
  [
    "blank field",
    withEmbed({ fields: [field({ value: " " })] }),
    "embeds.0.fields.0.value",
    "BASE_TYPE_REQUIRED",
  ],
  [
    "footer over 2048",
    withEmbed({ footer: { text: long(2049) } }),
    "embeds.0.footer.text",
    "BASE_TYPE_MAX_LENGTH",
  ],
  [
    "colour beyond white",
    withEmbed({ title: "t", color: 2 ** 24 }),
    "embeds.0.color",
    "NUMBER_TYPE_MAX",
  ],
  ["empty embed", withEmbed({}), "embeds.0", "BASE_TYPE_REQUIRED"],
  [
    "embeds over 6000 together",
    { embeds: many(2, () => ({ description: long(3001) })) },
    "embeds.1",
    "MAX_EMBED_SIZE_EXCEEDED",
  ],
  [
    "picture by a strange scheme",
    withEmbed({ image: { url: "file:///etc/passwd" } }),
    "embeds.0.image.url",
    "URL_TYPE_INVALID_SCHEME",
  ],
  [
    "picture that was not uploaded",
    withEmbed({ image: { url: "attachment://a.png" } }),
    "embeds.0.image.url",
    "ATTACHMENT_NOT_FOUND",
  ],
  ["a private flag in a channel", { content: "x", flags: 64 }, "flags", "MESSAGE_FLAGS_INVALID"],
  [
    "mentions allowed both ways",
    { content: "x", allowed_mentions: { parse: ["users"], users: ["1"] } },
    "allowed_mentions.parse",
    "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
  ],
  [
    "one person allowed twice",
    { content: "x", allowed_mentions: { users: ["1", "1"] } },
    "allowed_mentions.users",
    "SET_TYPE_ALREADY_CONTAINS_VALUE",
  ],
  [
    "an unknown kind of mention",
    { content: "x", allowed_mentions: { parse: ["all"] } },
    "allowed_mentions.parse.0",
    "BASE_TYPE_CHOICES",
  ],
];

testRefused(refusedBodies);

testTaken([
  ["2000 characters", { content: long(2000) }],
  ["2000 characters outside the basic plane", { content: "🟢".repeat(2000) }],
  ["embeds of 6000 in all", { embeds: many(2, () => ({ description: long(3000) })) }],
  ["25 fields", withEmbed({ fields: many(25, () => field()) })],
]);

test("a post with nothing to see is refused with 50006", async () => {
  const { rest } = await startDiscord();
  for (const body of [{}, { content: "  " }, { embeds: [] }]) {
    expect((await rest("POST", VENDAS, body)).body.code).toBe(50006);
  }
});

const button = (more: object = {}): object => ({
  type: 2,
  style: 1,
  custom_id: "b",
  label: "Ok",
  ...more,
});
const select = (more: object = {}): object => ({
  type: 3,
  custom_id: "s",
  options: [{ label: "Um", value: "1" }],
  ...more,
});
const row = (...components: object[]): object => ({ type: 1, components });
const withRow = (...components: object[]): object => ({ components: [row(...components)] });

testRefused([
  [
    "6 rows",
    { components: many(6, (n) => row(button({ custom_id: String(n) }))) },
    "components",
    "BASE_TYPE_MAX_LENGTH",
  ],
  ["a button outside a row", { components: [button()] }, "components.0.type", "UNION_TYPE_CHOICES"],
  [
    "6 buttons in a row",
    withRow(...many(6, (n) => button({ custom_id: String(n) }))),
    "components.0.components",
    "BASE_TYPE_BAD_LENGTH",
  ],
  [
    "select beside a button",
    withRow(select(), button()),
    "components.0.components",
    "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
  ],
  [
    "custom id twice",
    { components: [row(button()), row(button())] },
    "components.1.components.0.custom_id",
    "COMPONENT_CUSTOM_ID_DUPLICATED",
  ],
  [
    "custom id over 100",
    withRow(button({ custom_id: long(101) })),
    "components.0.components.0.custom_id",
    "BASE_TYPE_BAD_LENGTH",
  ],
  [
    "label over 80",
    withRow(button({ label: long(81) })),
    "components.0.components.0.label",
    "BASE_TYPE_MAX_LENGTH",
  ],
  [
    "button without label",
    withRow(button({ label: "" })),
    "components.0.components.0.label",
    "BUTTON_COMPONENT_INVALID",
  ],
  [
    "link without address",
    withRow(button({ style: 5, custom_id: null })),
    "components.0.components.0.url",
    "BUTTON_COMPONENT_INVALID",
  ],
  [
    "26 options",
    withRow(select({ options: many(26, (n) => ({ label: "o", value: String(n) })) })),
    "components.0.components.0.options",
    "BASE_TYPE_BAD_LENGTH",
  ],
  [
    "option value twice",
    withRow(select({ options: many(2, () => ({ label: "o", value: "1" })) })),
    "components.0.components.0.options.1.value",
    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
  ],
  [
    "more choices than options",
    withRow(select({ max_values: 2 })),
    "components.0.components.0.max_values",
    "NUMBER_TYPE_MAX",
  ],
  [
    "components v2, which the sandbox does not show",
    { flags: 32_768, components: [row(button())] },
    "flags",
    "MESSAGE_FLAGS_INVALID",
  ],
]);

testTaken([
  [
    "5 rows of 5 buttons",
    {
      components: many(5, (r) => row(...many(5, (n) => button({ custom_id: `${r}.${n}` })))),
    },
  ],
  [
    "25 options",
    withRow(
      select({ options: many(25, (n) => ({ label: "o", value: String(n) })), max_values: 25 }),
    ),
  ],
  ["a button with only an emoji", withRow(button({ label: null, emoji: { name: "🔁" } }))],
]);

const MODAL = 9;
const CHOICES = 8;
const input = (more: object = {}): object => ({
  type: 4,
  custom_id: "i",
  style: 1,
  label: "Chave",
  ...more,
});
const inputRow = (component: object): object => ({ type: 1, components: [component] });
const modal = (more: object = {}): object => ({
  custom_id: "m",
  title: "Conectar",
  components: [inputRow(input())],
  ...more,
});

const problemsOf = (type: number, data: unknown): object => {
  const problems = collectProblems();
  checkCallback({ type, data }, [], [4, 5, CHOICES, MODAL], problems);
  return problems.nested();
};

const inputRows = (count: number): object[] =>
  Array.from({ length: count }, (_, n) => inputRow(input({ custom_id: String(n) })));

const menuLabel = (more: object = {}): object => ({
  type: 18,
  label: "l",
  component: {
    type: 3,
    custom_id: "m",
    required: false,
    min_values: 0,
    options: [{ label: "a", value: "a" }],
    ...more,
  },
});

test("a modal of five fields, or of labels, is taken", () => {
  expect(problemsOf(MODAL, modal({ components: inputRows(5) }))).toEqual({});
  const label = { type: 18, label: "Chave", component: input({ label: undefined }) };
  expect(problemsOf(MODAL, modal({ components: [label] }))).toEqual({});
  expect(problemsOf(MODAL, modal({ components: [menuLabel()] }))).toEqual({});
});

test.for<[string, object]>([
  ["a title over 45", modal({ title: "t".repeat(46) })],
  ["a label over 45", modal({ components: [inputRow(input({ label: "l".repeat(46) }))] })],
  [
    "a placeholder over 100",
    modal({ components: [inputRow(input({ placeholder: "p".repeat(101) }))] }),
  ],
  ["no fields", modal({ components: [] })],
  ["six fields", modal({ components: inputRows(6) })],
  [
    "two fields in one row",
    modal({ components: [{ type: 1, components: [input(), input({ custom_id: "j" })] }] }),
  ],
  [
    "a button in a row",
    modal({ components: [inputRow({ type: 2, style: 1, custom_id: "b", label: "b" })] }),
  ],
  ["the same field twice", modal({ components: [inputRow(input()), inputRow(input())] })],
  ["a field without a label", modal({ components: [inputRow(input({ label: undefined }))] })],
  [
    "a least length over the most",
    modal({ components: [inputRow(input({ min_length: 9, max_length: 8 }))] }),
  ],
  [
    "a value over its most",
    modal({ components: [inputRow(input({ value: "abc", max_length: 2 }))] }),
  ],
  ["no custom id", modal({ custom_id: undefined })],
  ["a menu without options", modal({ components: [menuLabel({ options: [] })] })],
  [
    "a menu of 26 options",
    modal({
      components: [
        menuLabel({
          options: Array.from({ length: 26 }, (_, n) => ({ label: "o", value: `${n}` })),
        }),
      ],
    }),
  ],
  ["a needed menu of nothing", modal({ components: [menuLabel({ required: undefined })] })],
])("a modal is refused: %s", ([, data]) => {
  expect(problemsOf(MODAL, data)).toHaveProperty("data");
});

test("up to 25 suggestions are taken, each of 1 to 100 characters", () => {
  const choices = (count: number, name = "n") =>
    Array.from({ length: count }, (_, n) => ({ name, value: String(n) }));
  expect(problemsOf(CHOICES, { choices: choices(25) })).toEqual({});
  for (const wrong of [choices(26), choices(1, "n".repeat(101)), choices(1, ""), undefined]) {
    expect(problemsOf(CHOICES, { choices: wrong })).toHaveProperty("data.choices");
  }
});

test("a deferral takes the private flag and no other", () => {
  expect(problemsOf(5, { flags: 64 })).toEqual({});
  expect(problemsOf(5, { flags: 32_768 })).toHaveProperty("data.flags");
});
