import fc from "fast-check";
import { expect, test } from "vitest";
import { postBody, privateBody, replacingBody } from "#src/discord/message-body.ts";
import type { Reply } from "#src/views/reply.ts";
import { hostileText } from "../support/any-text.ts";

const RUNS = 1_000;
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

test("a post that names a role notifies that role alone, whatever it says", () => {
  const body = postBody({ content: `@everyone <@&118> <@119>`, pingedRole: ROLE });
  expect(body).toEqual({
    content: "@everyone <@&118> <@119>",
    allowed_mentions: { parse: [], roles: [ROLE] },
  });
});

test("an answer cannot name a role that it would notify", () => {
  const named = { ...replyOf("x"), pingedRole: ROLE, allowed_mentions: { roles: [ROLE] } } as Reply;
  expect(privateBody(named).allowed_mentions).toEqual({ parse: [] });
  expect(replacingBody(named).allowed_mentions).toEqual({ parse: [] });
});
