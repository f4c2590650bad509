import { beforeEach, describe, expect, test } from "vitest";
import { ANA, BRUNO, CHANNELS } from "#src/sandbox/world.ts";
import type { StoredMessage } from "#src/sandbox/discord/state.ts";
import { english } from "./support/english.ts";
import { buttonOf, messageOf, openStage, type Stage, textOf } from "./support/stage.ts";

/** 21:05 in Brasília on Monday, and on the 1st. */
const WEEK_CLOSE = "2026-11-24T00:05:30Z";
const MONTH_CLOSE = "2026-12-02T00:05:30Z";

describe("weekly and monthly closes", () => {
  let stage: Stage;

  const closes = (): readonly StoredMessage[] =>
    stage.sandbox.discord
      .messages(CHANNELS.vendas.id)
      .filter(({ embeds }) =>
        /^(Fechamento da semana|Fechamento de .* de \d{4}|Week|Month)/.test(embeds[0]?.title ?? ""),
      );
  /** The background reads a few days in each run. */
  const catchUp = async (minutes: number): Promise<void> => {
    for (let each = 0; each < minutes; each++) await stage.later(1);
  };

  beforeEach(async () => {
    stage = await openStage();
    await stage.setReport();
    const message = messageOf(await stage.connectAna());
    await stage.sandbox.discord.person(ANA.id).click(message.id, buttonOf(message, /pode postar/i));
    await stage.moveTo("2026-11-18T00:05:30Z");
    await catchUp(7);
  });

  test("each comes once at its hour, over a restart, with the seller's own behind its buttons", async () => {
    await stage.moveTo("2026-11-23T12:00:00Z");
    await catchUp(3);
    expect(closes()).toHaveLength(0);
    await stage.moveTo(WEEK_CLOSE);
    await stage.restart();
    await stage.bot().tick();
    await stage.later(1);
    expect(closes().map(({ embeds }) => embeds[0]?.title)).toEqual([
      "Fechamento da semana, 16/11 a 22/11",
    ]);
    const [week] = closes();
    expect(week?.content).toMatch(/^Semana de 16\/11 a 22\/11: R\$/);
    expect(week).toMatchObject({ mentionedUserIds: [], mentionsEveryone: false });
    const ana = stage.sandbox.discord.person(ANA.id);
    const own = messageOf(await ana.click(week!.id, buttonOf(week!, /Ver o meu/)));
    expect(textOf(own)).toContain("Sua semana, 16/11 a 22/11");
    const sheet = messageOf(await ana.click(week!.id, buttonOf(week!, /Planilha/)));
    expect(textOf(sheet)).toContain("16/11 a 22/11");
    ana.setLocale("en-US");
    const inEnglish = textOf(messageOf(await ana.click(week!.id, buttonOf(week!, /Ver o meu/))));
    expect(inEnglish).toContain("Your week, Nov 16 to Nov 22");
    english(inEnglish);
    const stranger = await stage.sandbox.discord
      .person(BRUNO.id)
      .click(week!.id, buttonOf(week!, /Ver o meu/));
    expect(textOf(stranger)).not.toContain("R$");

    await stage.moveTo("2026-12-01T12:00:00Z");
    await catchUp(8);
    await stage.bot().stop();
    stage.sandbox.clock.moveTo(Temporal.Instant.from(MONTH_CLOSE));
    await stage.restart();
    await stage.bot().tick();
    await catchUp(8);
    // Half an hour for October, of which the background fills in no more than the last days.
    await stage.later(31);
    await catchUp(1);
    expect(closes().map(({ embeds }) => embeds[0]?.title)).toEqual([
      "Fechamento da semana, 16/11 a 22/11",
      "Fechamento da semana, 23/11 a 29/11",
      "Fechamento de novembro de 2026",
    ]);
    await stage.restart();
    await catchUp(2);
    expect(closes()).toHaveLength(3);
  });
});
