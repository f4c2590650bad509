import { expect, test } from "vitest";
import { postBody } from "#src/discord/message-body.ts";
import type { NewDelivery } from "#src/domain/delivery.ts";
import type { Posting } from "#src/jobs/delivery/attempt.ts";
import { ANA, CARLA, CHANNEL, GUILD, openGuild } from "../../support/guild.ts";

const ROLE = "1180000000000000301";
const PING = `<@&${ROLE}>`;
const inChannel = { kind: "channel", channelId: CHANNEL } as const;
const toAna = { kind: "person", userId: ANA } as const;

/** What Discord would be told of mentions when such a delivery is posted. */
const mentionsOf = async (given: Pick<NewDelivery, "kind" | "target">, content: string) => {
  const { stores, clock, channels, person } = await openGuild();
  const bodies: Parameters<Posting["post"]>[1][] = [];
  const { post } = channels;
  channels.post = async (channelId, body) => {
    bodies.push(body);
    return await post(channelId, body);
  };
  const now = clock.now();
  await stores.outbox.enqueue(
    {
      ...given,
      dedupeKey: "key",
      guildId: GUILD,
      accountId: null,
      payload: { content, embeds: [{ title: "MED" }] },
      notBefore: now,
    },
    now,
  );
  // A test of the report's route posts whatever the outbox holds.
  const carla = person(CARLA, { manager: true });
  const canal = { id: CHANNEL, type: 0, appPermissions: undefined };
  await carla.command("config relatorio", { channel: { canal } });
  await carla.command("config testar");
  const body = bodies.find((each) => each.content === content);
  return body && postBody(body);
};

test("an alert in a channel notifies the one role that it names, and nobody else", async () => {
  const body = await mentionsOf({ kind: "dispute_alert", target: inChannel }, PING);
  expect(body?.allowed_mentions).toEqual({ parse: [], roles: [ROLE] });
  expect(Object.keys(body ?? {})).not.toContain("pingedRole");
});

test.each([
  ["an alert in direct messages", { kind: "dispute_alert", target: toAna }, PING],
  ["a report", { kind: "sales_report", target: inChannel }, PING],
  ["a test", { kind: "test", target: inChannel }, PING],
  ["a notice", { kind: "notice", target: toAna }, PING],
  ["words around the role", { kind: "dispute_alert", target: inChannel }, `Olá ${PING}`],
  ["two roles", { kind: "dispute_alert", target: inChannel }, `${PING}<@&118>`],
  ["a line after the role", { kind: "dispute_alert", target: inChannel }, `${PING}\n@everyone`],
  ["everybody", { kind: "dispute_alert", target: inChannel }, "@everyone"],
  ["a person", { kind: "dispute_alert", target: inChannel }, `<@${ANA}>`],
  ["a role that is none", { kind: "dispute_alert", target: inChannel }, "<@&everyone>"],
] as const)("%s notifies nobody", async (_what, given, content) => {
  expect((await mentionsOf(given, content))?.allowed_mentions).toEqual({ parse: [] });
});
