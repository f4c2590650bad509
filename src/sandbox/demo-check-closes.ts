import { MINUTE } from "../shared/time.ts";
import { checkFiles } from "./demo-check-files.ts";
import {
  done,
  hasPicture,
  headline,
  mustHold,
  press,
  privateMessage,
  restartBot,
} from "./demo-steps.ts";
import type { StoredMessage } from "./discord/state.ts";
import { pass, passToEvening, settle } from "./pass-time.ts";
import type { Demo } from "./start-demo.ts";
import { CHANNELS } from "./world.ts";

/** In each the background reads five days; a close waits half an hour for days that it is compared with. */
const MOST_WAITS = 12;
const WAIT_MS = 4 * MINUTE;

/** The weekly close on Monday and the monthly one on the 1st, each once, though the bot is killed after each. */
export const checkCloses = async (demo: Demo): Promise<void> => {
  const { clock, discord } = demo.sandbox;
  const closes = (): readonly StoredMessage[] =>
    discord
      .messages(CHANNELS.vendas.id)
      .filter((message) => headline(message).startsWith("Fechamento d"));
  const once = async (
    name: RegExp,
    before: ReadonlySet<string> = new Set(),
  ): Promise<StoredMessage> => {
    const named = () =>
      closes().filter((each) => name.test(headline(each)) && !before.has(each.id));
    for (let waits = 0; named().length === 0 && waits < MOST_WAITS; waits++)
      await pass(demo, WAIT_MS);
    await restartBot(demo);
    await settle(demo);
    await pass(demo, 5 * MINUTE);
    const [close, ...more] = named();
    if (close === undefined) throw new Error(`o fechamento não veio: ${name.source}`);
    mustHold(more.length === 0, `o fechamento veio ${more.length + 1} vezes: ${headline(close)}`);
    return close;
  };

  const filesUnder = async (close: StoredMessage, days: number): Promise<string> => {
    mustHold(hasPicture(demo, close), `o fechamento veio sem a figura: ${headline(close)}`);
    const shown = privateMessage(await press(demo, close, "Ver o meu"));
    return await checkFiles(demo, { under: close, label: "Planilha", shown }, days);
  };

  const today = clock.now().toZonedDateTimeISO("America/Sao_Paulo").toPlainDate();
  const monday = today.add({ days: 8 - today.dayOfWeek });
  await passToEvening(demo, monday);
  const week = await once(weekUntil(monday.subtract({ days: 1 })));
  mustHold(/^Semana de .*: R\$/.test(week.content), `o fechamento diz: ${week.content}`);
  done(`Na segunda, a semana fecha uma vez só: ${week.content} / ${await filesUnder(week, 7)}`);

  const first = monday.add({ months: 1 }).with({ day: 1 });
  const before = new Set(closes().map(({ id }) => id));
  await passToEvening(demo, first);
  const month = await once(/^Fechamento de .* de \d{4}$/, before);
  mustHold(/^Mês de .*: R\$/.test(month.content), `o fechamento diz: ${month.content}`);
  const days = first.subtract({ days: 1 }).day;
  const files = await filesUnder(month, days);
  done(`No dia 1º, o mês também, e a queda do bot não o repete: ${month.content} / ${files}`);
};

const weekUntil = (sunday: Temporal.PlainDate): RegExp => {
  const two = (value: number): string => String(value).padStart(2, "0");
  return new RegExp(`^Fechamento da semana, .* a ${two(sunday.day)}/${two(sunday.month)}$`);
};
