import { expect, test } from "vitest";
import { CHANNELS } from "#src/sandbox/world.ts";
import { callback } from "#src/sandbox/discord/limits/interaction-callback.ts";
import { nestedErrors } from "#src/sandbox/discord/limits/checks.ts";
import { messageBodies } from "#src/sandbox/discord/limits/message.ts";
import { startDiscord } from "./running.ts";

const VENDAS = `/channels/${CHANNELS.vendas.id}/messages`;

/** A body that Discord refuses, and the path of the error. */
type RefusedBody = readonly [claim: string, body: object, at: string];

const many = <Item>(count: number, item: (n: number) => Item): Item[] =>
  Array.from({ length: count }, (_, n) => item(n));

const long = (length: number): string => "é".repeat(length);

const errorsAt = (errors: unknown, at: string): unknown =>
  at
    .split(".")
    .concat("_errors")
    .reduce<unknown>((level, key) => (level as Record<string, unknown> | undefined)?.[key], errors);

const postProblems = (body: object) =>
  nestedErrors(messageBodies.channel.safeParse({ ...body, files: [] }).error);

const testRefused = (bodies: readonly RefusedBody[]): void =>
  test.for(bodies)("a post is refused: %s", ([, body, at]) => {
    expect(errorsAt(postProblems(body), at)).toHaveLength(1);
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
      errors: { content: { _errors: [{ message: "Must be between 0 and 2000 in length." }] } },
    },
  });
  expect(discord.messages(CHANNELS.vendas.id)).toEqual([]);
});

const withEmbed = (embed: object): object => ({ embeds: [embed] });
const field = (more: object = {}): object => ({ name: "n", value: "v", ...more });

const refusedBodies: readonly RefusedBody[] = [
  ["content over 2000", { content: long(2001) }, "content"],
  ["content that is no text", { content: 5 }, "content"],
  ["11 embeds", { embeds: many(11, () => ({ title: "t" })) }, "embeds"],
  ["title over 256", withEmbed({ title: long(257) }), "embeds.0.title"],
  ["description over 4096", withEmbed({ description: long(4097) }), "embeds.0.description"],
  ["26 fields", withEmbed({ fields: many(26, () => field()) }), "embeds.0.fields"],
  [
    "field name over 256",
    withEmbed({ fields: [field({ name: long(257) })] }),
    "embeds.0.fields.0.name",
  ],
  [
    "field value over 1024",
    withEmbed({ fields: [field(), field({ value: long(1025) })] }),
    "embeds.0.fields.1.value",
  ],
  ["blank field", withEmbed({ fields: [field({ value: " " })] }), "embeds.0.fields.0.value"],
  ["footer over 2048", withEmbed({ footer: { text: long(2049) } }), "embeds.0.footer.text"],
  ["colour beyond white", withEmbed({ title: "t", color: 2 ** 24 }), "embeds.0.color"],
  ["empty embed", withEmbed({}), "embeds.0"],
  ["embeds over 6000 together", { embeds: many(2, () => ({ description: long(3001) })) }, "embeds"],
  [
    "picture by a strange scheme",
    withEmbed({ image: { url: "file:///etc/passwd" } }),
    "embeds.0.image.url",
  ],
  [
    "picture that was not uploaded",
    withEmbed({ image: { url: "attachment://a.png" } }),
    "embeds.0.image.url",
  ],
  ["a private flag in a channel", { content: "x", flags: 64 }, "flags"],
  [
    "mentions allowed both ways",
    { content: "x", allowed_mentions: { parse: ["users"], users: ["1"] } },
    "allowed_mentions.parse",
  ],
  [
    "one person allowed twice",
    { content: "x", allowed_mentions: { users: ["1", "1"] } },
    "allowed_mentions.users",
  ],
  [
    "an unknown kind of mention",
    { content: "x", allowed_mentions: { parse: ["all"] } },
    "allowed_mentions.parse.0",
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
  ["6 rows", { components: many(6, (n) => row(button({ custom_id: String(n) }))) }, "components"],
  ["a button outside a row", { components: [button()] }, "components.0.type"],
  [
    "6 buttons in a row",
    withRow(...many(6, (n) => button({ custom_id: String(n) }))),
    "components.0.components",
  ],
  ["select beside a button", withRow(select(), button()), "components.0.components"],
  ["custom id twice", { components: [row(button()), row(button())] }, "components"],
  [
    "custom id over 100",
    withRow(button({ custom_id: long(101) })),
    "components.0.components.0.custom_id",
  ],
  ["label over 80", withRow(button({ label: long(81) })), "components.0.components.0.label"],
  ["button without label", withRow(button({ label: "" })), "components.0.components.0.label"],
  [
    "link without address",
    withRow(button({ style: 5, custom_id: null })),
    "components.0.components.0.url",
  ],
  [
    "26 options",
    withRow(select({ options: many(26, (n) => ({ label: "o", value: String(n) })) })),
    "components.0.components.0.options",
  ],
  [
    "option value twice",
    withRow(select({ options: many(2, () => ({ label: "o", value: "1" })) })),
    "components.0.components.0.options",
  ],
  [
    "more choices than options",
    withRow(select({ max_values: 2 })),
    "components.0.components.0.max_values",
  ],
  [
    "components v2, which the sandbox does not show",
    { flags: 32_768, components: [row(button())] },
    "flags",
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

const problemsOf = (type: number, data: object): object =>
  nestedErrors(callback.safeParse({ type, data: { ...data, files: [] } }).error);

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
