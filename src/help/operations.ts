/** A setting without which the bot does not send an operation. */
type Switch = "WITHDRAW_ENABLED" | "REFUND_ENABLED";

interface ServiceOperation {
  /** Method and path, as service.md 4 writes them. */
  readonly request: string;
  /** False: the document names it alone, and the bot assumes its shape. */
  readonly documented: boolean;
  /** The main commands that use it, as people type them. */
  readonly commands: readonly string[];
  readonly needs?: Switch;
}

const operation =
  (documented: boolean) =>
  (request: string, ...commands: readonly string[]): ServiceOperation => ({
    request,
    documented,
    commands,
  });
const shown = operation(true);
const assumed = operation(false);
const switched = (needs: Switch, operation: ServiceOperation): ServiceOperation => ({
  ...operation,
  needs,
});

/** All operations of the wallet service. Source: service.md 4, which has the same table. */
export const serviceOperations: readonly ServiceOperation[] = [
  shown("GET /v1/sales/report", "/vendas", "/meta"),
  shown("GET /v1/transactions/{txid}", "/transacoes"),
  shown("GET /v1/withdrawals/{txid}", "/saques"),
  shown("POST /v1/split/withdraw", "/split-saque"),
  shown("GET /v1/meds/{infractionId}", "/meds"),
  shown("GET /v1/meds/summary", "/meds", "/saldo"),
  assumed("GET /v1/transactions", "/transacoes", "/vendas"),
  assumed("POST /v1/payment/create", "/cobrar"),
  assumed("GET /v1/payment/status/:txid", "/cobrar"),
  switched("REFUND_ENABLED", assumed("POST /v1/refund", "/estornar")),
  assumed("GET /v1/balance", "/saldo", "/saque"),
  switched("WITHDRAW_ENABLED", assumed("POST /v1/withdraw", "/saque")),
  switched("WITHDRAW_ENABLED", assumed("POST /v1/withdraw/cancel", "/saques")),
  assumed("GET /v1/withdrawals", "/saques", "/saque", "/vendas"),
  assumed("POST /v1/pix/validate", "/saque", "/split-saque"),
  assumed("GET /v1/meds", "/meds"),
];
