import { expect, onTestFinished, test } from "vitest";
import { newestPeriod, periodBefore } from "#src/closes/close.ts";
import { ownCloseView } from "#src/closes/close.view.ts";
import { createCloses } from "#src/closes/closes.service.ts";
import { daysOf } from "#src/reports/sales-period.ts";
import type { Locale } from "#src/shared/locale.ts";
import { MINUTE } from "#src/shared/time.ts";
import { noticeTo } from "../database/builders.ts";
import { GUILD, openStage } from "../support/stage.ts";
import { readMessage } from "../ui/read-message.ts";
import { salesDay } from "./close-samples.ts";

const WEEK = newestPeriod("week", Temporal.PlainDate.from("2026-11-22"));
const OWNER = "u-ana";

/** A connected seller who agreed to no report and never asked for a period. */
const open = async (now = "2026-11-25T15:00:00Z") => {
  const stage = await openStage(now);
  onTestFinished(stage.close);
  const { stores, clock } = stage;
  const id = await stage.addSeller({ ownerId: OWNER, since: clock.now(), isDirect: true });
  await stores.accounts.chooseReport(GUILD, OWNER, "off", clock.now());
  const { accountFp } = (await stores.accounts.findById(id))!;
  const closes = createCloses({ ...stores, clock });
  const own = async (locale: Locale = "pt-BR") => {
    const view = ownCloseView(await closes.own(GUILD, OWNER, WEEK), locale);
    return readMessage(view).join("\n").replaceAll("\u00a0", " ");
  };
  return { stage, id, accountFp, own };
};

test("one's own close asks for days that were never read, says so, and has them a little later", async () => {
  const { stage, own } = await open();
  expect(await own()).toContain(
    "Ainda não li 7 dias (16/11, 17/11, 18/11, e mais 4). Já pedi: toque em **Ver o meu** de novo em alguns minutos.",
  );
  expect(await own("en-US")).toContain(
    "I asked for them: tap **See mine** again in a few minutes.",
  );
  expect(await own()).not.toMatch(/Esperei|enhuma venda|u-ana/);
  const bot = stage.startProcess({ closes: true });
  for (let minutes = 0; minutes < 4; minutes++) {
    await bot.tick();
    stage.clock.moveBy(MINUTE);
  }
  expect(await own()).toContain("**R$ 700,00** em 7 vendas");
  expect(await own()).not.toContain("falta ler");
});

test("one's own close with all its days asks for nothing", async () => {
  const { stage, accountFp, own } = await open();
  for (const day of [...daysOf(periodBefore(WEEK)), ...daysOf(WEEK)])
    await stage.stores.salesDays.keep(accountFp, salesDay(day, 10));
  expect(await own()).not.toContain("Falta");
  expect(await stage.stores.salesDays.due(stage.clock.now(), 1)).toEqual([]);
});

test("one's own close says that days are too old to be kept, and of a refused key that it waits", async () => {
  const old = await open("2027-03-10T12:00:00Z");
  expect(await old.own()).toContain("Não guardo dias tão antigos: 7 dias (16/11, 17/11,");
  expect(await old.own()).not.toContain("Já pedi");
  const refused = await open();
  const { stores, clock } = refused.stage;
  await stores.accounts.pause(refused.id, clock.now(), noticeTo(OWNER, "paused"));
  expect(await refused.own()).toContain("A chave foi recusada: leio quando ela voltar.");
});
