import { expect, test } from "vitest";
import { CHANNELS } from "#src/sandbox/world.ts";
import type { RefusedBody } from "./post-bodies.ts";
import { long, many, testRefused, testTaken } from "./post-bodies.ts";
import { startDiscord } from "./running.ts";

const PATH = `/channels/${CHANNELS.vendas.id}/messages`;
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
    expect((await rest("POST", PATH, body)).body.code).toBe(50006);
  }
});
