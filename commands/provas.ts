import {
  action,
  type ActionInput,
  defineCommand,
  handler,
  type Invocation,
} from "#src/discord/command.ts";
import type { Services } from "#src/services.ts";
import {
  proofDetailView,
  proofKeptView,
  proofListView,
  proofRemovalView,
  SALE_FIELD,
  TXID_FIELD,
} from "#src/defence/proofs.view.ts";
import { disputedSaleChoices } from "#src/disputes/dispute-list.view.ts";
import { transactionChoices } from "#src/transactions/transactions.view.ts";
import type { Reply } from "#src/ui/reply.ts";
import { proofsFileReply } from "#src/defence/dossier.view.ts";
import { outdated, typedBy } from "./component-input.ts";
import { command, LONGEST_TYPED_ID, suggested } from "./definition.ts";

const PROOF_ID = /^[A-Za-z0-9_-]{1,64}$/;
const PAGE = /^(\d{1,3})(?:\.(.+))?$/;

/** A page of the list; `txid`: only the proofs of that sale. */
interface WantedProofs {
  readonly page: number;
  readonly txid?: string;
}

/** @throws UserError outdated_component */
const proofIdOf = (id = ""): string => (PROOF_ID.test(id) ? id : outdated());

/** @throws UserError outdated_component */
const pageOf = ({ argument }: ActionInput): WantedProofs => {
  const [, page = outdated(), txid] = PAGE.exec(argument) ?? [];
  return { page: Number(page), ...(txid !== undefined && { txid }) };
};

const pageReply = async (
  { page, txid }: WantedProofs,
  invocation: Invocation,
  { proofs }: Services,
  removed = false,
): Promise<Reply> =>
  proofListView({ ...(await proofs.page(invocation, page, txid)), removed }, invocation.locale);

/** @throws UserError proof_not_found */
const proofReply = async (
  id: string,
  invocation: Invocation,
  { proofs }: Services,
): Promise<Reply> => proofDetailView(await proofs.read(invocation, id), invocation.locale);

export const provas = defineCommand({
  inDirectMessages: true,
  definition: command("provas", ({ provas }) => provas.self, [
    suggested("txid", ({ provas }) => provas.txid, LONGEST_TYPED_ID),
  ]),
  handlers: handler({
    kind: "read",
    parse: (options): WantedProofs => {
      const txid = (options.string("txid") ?? "").trim();
      return txid === "" ? { page: 0 } : { page: 0, txid };
    },
    run: pageReply,
  }),
  actions: {
    guardar: action({
      kind: "write",
      answers: "new",
      parse: ({ argument, fields }) => ({
        pendingId: proofIdOf(argument),
        // A pasted txid is the later choice: the menu may have been filled in beforehand.
        txid: (fields.get(TXID_FIELD) ?? "").trim() || (fields.get(SALE_FIELD) ?? ""),
      }),
      run: async ({ pendingId, txid }, invocation, { proofs, disputes }) => {
        const { locale } = invocation;
        const kept = await proofs.tie(invocation, pendingId, txid);
        const rows = await disputes.suggest(invocation, "");
        const [about] = disputedSaleChoices(
          rows.filter((row) => row.txid === kept.proof.txid),
          locale,
        );
        return proofKeptView(kept, locale, about?.name);
      },
    }),
    pagina: action({ kind: "read", answers: "update", parse: pageOf, run: pageReply }),
    baixar: action({
      kind: "read",
      answers: "new",
      inDirectMessages: true,
      parse: () => undefined,
      run: async (_, invocation, { proofs, clock }) =>
        proofsFileReply(await proofs.all(invocation), clock.now(), invocation.locale),
    }),
    abrir: action({
      kind: "read",
      answers: "update",
      parse: ({ values: [id] }) => proofIdOf(id),
      run: proofReply,
    }),
    perguntar: action({
      kind: "read",
      answers: "update",
      parse: ({ argument }) => proofIdOf(argument),
      run: async (id, invocation, { proofs }) =>
        proofRemovalView(await proofs.read(invocation, id), invocation.locale),
    }),
    apagar: action({
      kind: "write",
      answers: "update",
      parse: ({ argument }) => proofIdOf(argument),
      run: async (id, invocation, services) => {
        await services.proofs.remove(invocation, id);
        return await pageReply({ page: 0 }, invocation, services, true);
      },
    }),
  },
  // The list needs no connection in a direct message; suggested sales are read with one.
  autocomplete: async ({ text }, invocation, services) =>
    transactionChoices(
      await services.transactions.suggest(await typedBy(invocation, services), text),
      invocation.locale,
    ),
});
