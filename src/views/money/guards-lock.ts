import type { MoneyGuards } from "../../domain/money-guards.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor } from "../../texts/texts.ts";
import { buttonRow } from "../components.ts";
import { line } from "../embed.ts";
import { reply, type Reply } from "../reply.ts";
import { fullAndRelative } from "../timestamp.ts";
import { guardIds } from "./withdrawal-ids.ts";

/** The lock on its own: what it stops, since when, and how it opens. */
export const lockView = ({ ownerId, lockedAt, unlockAt }: MoneyGuards, locale: Locale): Reply => {
  const { guards } = textsFor(locale);
  if (lockedAt === undefined) return reply({ title: guards.open, description: guards.openText });
  const asked = unlockAt !== undefined;
  return reply(
    {
      tone: "warning",
      title: guards.locked,
      description: guards.lockedText,
      fields: [
        line(guards.lockedSince, fullAndRelative(lockedAt)),
        line(
          guards.unlocking,
          asked
            ? `${guards.unlockAt(fullAndRelative(unlockAt))} ${guards.lockAgain}`
            : guards.unlockRule,
        ),
      ],
    },
    asked
      ? buttonRow({ id: guardIds.lock(ownerId), label: guards.stayLocked, style: "danger" })
      : buttonRow({ id: guardIds.unlock(ownerId), label: guards.unlock, style: "secondary" }),
  );
};
