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
  SALE_FIELD,
  TXID_FIELD,
} from "#src/defence/proofs.view.ts";
import type { Reply } from "#src/ui/reply.ts";
import { proofsFileReply } from "#src/defence/dossier.view.ts";
import { outdated } from "./component-input.ts";
import { command } from "./definition.ts";

const PROOF_ID = /^[A-Za-z0-9_-]{1,64}$/;
const PAGE = /^\d{1,3}$/;

/** @throws UserError outdated_component */
const proofIdOf = (id = ""): string => (PROOF_ID.test(id) ? id : outdated());

/** @throws UserError outdated_component */
const pageOf = ({ argument }: ActionInput): number =>
  PAGE.test(argument) ? Number(argument) : outdated();

const pageReply = async (
  page: number,
  invocation: Invocation,
  { proofs }: Services,
  removed = false,
): Promise<Reply> =>
  proofListView({ ...(await proofs.page(invocation, page)), removed }, invocation.locale);

/** @throws UserError proof_not_found */
const proofReply = async (
  id: string,
  invocation: Invocation,
  { proofs }: Services,
): Promise<Reply> => proofDetailView(await proofs.read(invocation, id), invocation.locale);

export const provas = defineCommand({
  inDirectMessages: true,
  definition: command("provas", ({ provas }) => provas.self, []),
  handlers: handler({
    kind: "read",
    parse: () => 0,
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
      run: async ({ pendingId, txid }, invocation, { proofs }) =>
        proofKeptView(await proofs.tie(invocation, pendingId, txid), invocation.locale),
    }),
    pagina: action({
      kind: "read",
      answers: "update",
      parse: pageOf,
      run: pageReply,
    }),
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
    apagar: action({
      kind: "write",
      answers: "update",
      parse: ({ argument }) => proofIdOf(argument),
      run: async (id, invocation, services) => {
        await services.proofs.remove(invocation, id);
        return await pageReply(0, invocation, services, true);
      },
    }),
  },
});
