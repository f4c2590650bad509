import fc from "fast-check";
import { expect, test } from "vitest";
import { postBody, privateBody, replacingBody } from "#src/discord/message-body.ts";
import type { Reply } from "#src/views/reply.ts";
import { hostileText } from "../support/any-text.ts";

const RUNS = 1_000;
const ANA = "1180000000000000011";
const ROLE = "1180000000000000301";
const replyOf = (content: string): Reply => ({
  kind: "reply",
  content,
  embeds: [{ title: content, description: content }],
});

test(`whatever a message says, it notifies nobody: ${RUNS} texts`, () => {
  const property = fc.property(hostileText, (text) => {
    for (const body of [privateBody(replyOf(text)), replacingBody(replyOf(text))])
      expect(body.allowed_mentions).toEqual({ parse: [] });
    expect(postBody({ content: text }).allowed_mentions).toEqual({ parse: [] });
  });
  fc.assert(property, { numRuns: RUNS });
});

test("a post names whom it pings first and notifies them alone, whatever it says", () => {
  const content = "@everyone <@&118> <@119>";
  expect(postBody({ content, pings: { userId: ANA, roleId: ROLE } })).toEqual({
    content: `<@${ANA}> <@&${ROLE}> ${content}`,
    allowed_mentions: { parse: [], users: [ANA], roles: [ROLE] },
  });
  expect(postBody({ content, pings: { userId: ANA } })).toEqual({
    content: `<@${ANA}> ${content}`,
    allowed_mentions: { parse: [], users: [ANA] },
  });
});

test("an answer cannot name anybody whom it would notify", () => {
  const pings = { userId: ANA, roleId: ROLE };
  const named = { ...replyOf("x"), pings, allowed_mentions: { roles: [ROLE] } } as Reply;
  expect(privateBody(named).allowed_mentions).toEqual({ parse: [] });
  expect(replacingBody(named).allowed_mentions).toEqual({ parse: [] });
});
