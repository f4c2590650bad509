import {
  ask,
  centsOf,
  done,
  headline,
  mustHold,
  press,
  privateMessage,
  textOf,
} from "./demo-steps.ts";
import type { StoredMessage } from "./discord/state.ts";
import type { Demo } from "./start-demo.ts";
import { ANA } from "./world.ts";

const AMOUNT = /\*\*R\$\s([\d.,]+)\*\* em/;

/** The accountant's file that a button gives: three formats, and its rows add up to the sum that Ana was shown. */
export const checkFiles = async (
  demo: Demo,
  { under, label, shown }: { under: StoredMessage; label: string; shown: StoredMessage },
  length: number,
): Promise<string> => {
  const { discord } = demo.sandbox;
  const files = privateMessage(await press(demo, under, label));
  const names = files.attachments.map(({ filename }) => filename.replace(/^.*\./, ""));
  mustHold(names.join() === "xlsx,csv,pdf", `os arquivos são ${names.join()}`);
  const csv = discord.attachmentData(files.attachments[1]?.id ?? "")?.toString() ?? "";
  const days = csv.split("\r\n").filter((row) => row.startsWith("dia;"));
  const sum = days.reduce((total, row) => total + centsOf(row.split(";")[4]), 0);
  const [, asked] = AMOUNT.exec(textOf(shown)) ?? [];
  const [, told] = AMOUNT.exec(textOf(files)) ?? [];
  mustHold(days.length === length, `o arquivo tem ${days.length} dias, não ${length}`);
  mustHold(
    sum > 0 && sum === centsOf(asked) && asked === told,
    `o arquivo soma ${sum}, e não ${asked}`,
  );
  return `${headline(files)} / R$ ${told}`;
};

export const checkAccountingFile = async (demo: Demo): Promise<void> => {
  const shown = privateMessage(await ask(demo, ANA.id, "vendas", { periodo: "7 dias" }));
  const told = await checkFiles(demo, { under: shown, label: "Arquivo", shown }, 7);
  done(`Em Arquivo, XLSX, CSV e PDF com a mesma soma: ${told}`);
};
