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
import type { Demo } from "./start-demo.ts";
import { ANA } from "./world.ts";

const AMOUNT = /\*\*R\$\s([\d.,]+)\*\* em/;

/** The accountant's file of seven days: three formats, and its rows add up to the answer's sum. */
export const checkAccountingFile = async (demo: Demo): Promise<void> => {
  const { discord } = demo.sandbox;
  const shown = privateMessage(await ask(demo, ANA.id, "vendas", { periodo: "7 dias" }));
  const files = privateMessage(await press(demo, shown, "Arquivo"));
  const names = files.attachments.map(({ filename }) => filename.replace(/^.*\./, ""));
  mustHold(names.join() === "xlsx,csv,pdf", `os arquivos são ${names.join()}`);
  const csv = discord.attachmentData(files.attachments[1]?.id ?? "")?.toString() ?? "";
  const days = csv.split("\r\n").filter((row) => row.startsWith("dia;"));
  const sum = days.reduce((total, row) => total + centsOf(row.split(";")[4]), 0);
  const [, asked] = AMOUNT.exec(textOf(shown)) ?? [];
  const [, told] = AMOUNT.exec(textOf(files)) ?? [];
  mustHold(days.length === 7, `o arquivo tem ${days.length} dias, não 7`);
  mustHold(sum > 0 && sum === centsOf(asked) && asked === told, `o arquivo soma ${sum}`);
  done(`Em Arquivo, XLSX, CSV e PDF com a mesma soma: ${headline(files)} / R$ ${told}`);
};
