import type { StoredMessage } from "../discord/local-discord.ts";
import type { Demo } from "../start-demo.ts";
import type { Med } from "../wallet/med-book.ts";
import { ANA, BRUNO, CHANNELS } from "../world.ts";
import type { Board } from "./board.ts";
import { done, headline, mustHold, press, privateMessage, textOf, told } from "./story.ts";

const KEEP = "Guardar como prova";
const WORDS = "Recebi o acesso ao Plano VIP, tudo certo. Obrigado!";
const FIELD = "txid";

/** What Bruno wrote is kept as a proof of the sale, and stands in the defence of its MED. */
export const checkDefence = async (demo: Demo, board: Board, med: Med): Promise<void> => {
  const { discord } = demo.sandbox;
  const ana = discord.person(ANA.id);
  const written = discord.person(BRUNO.id).write(CHANNELS.geral.id, WORDS);
  const form = await ana.messageCommand(written.id, KEEP);
  if (form.kind !== "modal") throw new Error(`"${KEEP}" não abriu o formulário: ${told(form)}`);
  const kept = privateMessage(await ana.submitModal(form.modal, { [FIELD]: med.txid }));
  const list = privateMessage(await ana.command({ channelId: CHANNELS.geral.id, name: "provas" }));
  mustHold(textOf(list).includes(med.txid), "/provas não mostra a prova guardada");
  done(`Ana guarda o que Bruno escreveu: ${headline(kept)}; em /provas: ${headline(list)}`);

  const reply = privateMessage(await press(ana, board.newest(med), "Preparar defesa"));
  const pdf = fileOf(demo, reply, ".pdf");
  const text = fileOf(demo, reply, ".txt").toString("utf8");
  mustHold(pdf.subarray(0, 5).toString("latin1") === "%PDF-", "a defesa não é um PDF");
  for (const part of [med.infractionId, med.txid, WORDS])
    mustHold(text.includes(part), `o texto da defesa não tem: ${part}`);
  const kilobytes = Math.round(pdf.length / 1_000);
  done(`Com "Preparar defesa" vêm um PDF de ${kilobytes} kB e um texto: ${headline(reply)}`);
};

const fileOf = ({ sandbox }: Demo, { attachments }: StoredMessage, ending: string): Buffer => {
  const found = attachments.find(({ filename }) => filename.endsWith(ending));
  const data = found && sandbox.discord.attachmentData(found.id);
  if (data === undefined) throw new Error(`a defesa não tem um arquivo ${ending}`);
  return data;
};
