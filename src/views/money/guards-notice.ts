import type { DeliveryPayload } from "../../domain/delivery.ts";
import type { GuardFacts } from "../../domain/notice-facts.ts";
import type { Texts } from "../../texts/texts.ts";
import { textsFor } from "../../texts/texts.ts";
import { buttonRow } from "../components.ts";
import { inline, line } from "../embed.ts";
import { post } from "../post.ts";
import { fullAndRelative } from "../timestamp.ts";
import { guardIds } from "./withdrawal-ids.ts";

/** The way to the server that a message is about; nothing for what was done in a direct message. */
export const toServer = (guildId: string, { guards }: Texts): readonly string[] =>
  guildId === "" ? [] : [`[${guards.openServer}](https://discord.com/channels/${guildId})`];

const labelOf = (change: GuardFacts["change"], guards: Texts["guards"]): string =>
  change === "pin_locked" ? guards.pinLockedUntil : guards.validFrom;

/** To the owner: a guard was loosened or closed, or a new key waits. A stranger's doing is seen by it. */
export const guardNotice = (facts: GuardFacts): DeliveryPayload => {
  const { change, from, noticedAt, ownerId, guildId, reference } = facts;
  const texts = textsFor(facts.locale);
  const { guards } = texts;
  const { title, text } = guards.changes[change];
  const closed = change === "locked";
  const words = [text, ...(closed ? [] : [guards.notYou]), ...toServer(guildId, texts)];
  const lock = { id: guardIds.lock(ownerId), label: guards.lockNow, style: "danger" } as const;
  return post(
    {
      tone: "warning",
      sentence: closed ? title : guards.alone(title),
      title,
      description: words.join("\n\n"),
      fields: [
        ...(from === undefined ? [] : [line(labelOf(change, guards), fullAndRelative(from))]),
        inline(guards.noticedAt, fullAndRelative(noticedAt)),
      ],
      reference,
    },
    ...(closed ? [] : [buttonRow(lock)]),
  );
};
