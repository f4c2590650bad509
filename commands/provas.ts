import { action, defineCommand, handler } from "#src/discord/command.ts";
import { proofsFileReply } from "#src/views/defence/dossier.ts";
import { proofKeptView, TXID_FIELD } from "#src/views/defence/proofs.ts";
import { command } from "./parts/definition.ts";
import { pageOf, pageReply, proofIdOf, proofReply } from "./parts/provas.ts";

export const provas = defineCommand({
  inDirectMessages: true,
  definition: command("provas", ({ provas }) => provas.self, []),
  handlers: handler({
    kind: "read",
    parse: () => 0,
    run: (page, invocation, services) => pageReply(page, invocation, services),
  }),
  actions: {
    guardar: action({
      kind: "write",
      answers: "new",
      parse: ({ argument, fields }) => ({
        pendingId: proofIdOf(argument),
        txid: fields.get(TXID_FIELD) ?? "",
      }),
      run: async ({ pendingId, txid }, invocation, { proofs }) =>
        proofKeptView(await proofs.tie(invocation, pendingId, txid), invocation.locale),
    }),
    pagina: action({
      kind: "read",
      answers: "update",
      parse: pageOf,
      run: (page, invocation, services) => pageReply(page, invocation, services),
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
