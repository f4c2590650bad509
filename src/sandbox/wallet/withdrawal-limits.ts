import { failure, reais, type Answer } from "./answer.ts";
import type { Merchant } from "./merchant.ts";
import { isPending, isReturned } from "./withdrawal-book.ts";

/** Source: service.md 1: of the gross amount, and inclusive. */
export const MINIMUM_CENTS = 10_00;

const WINDOW = { hours: 24 } as const;
/** The document names no zone and no figures: these are the sandbox's own. */
const ZONE = "America/Sao_Paulo";
const DAY_LIMIT_CENTS = 10_000_00;
const NIGHT_LIMIT_CENTS = 3_000_00;
const DAY_BEGINS = 6;
const NIGHT_BEGINS = 20;

/**
 * Why a withdrawal may not be made now; undefined when it may. One pending at a time, then one per 24 hours, then the
 * amount of the last 24 hours against the limit of the hour. Failed and cancelled ones do not count: the sandbox's
 * reading. Source: service.md 4.1 and 8.
 */
export const refuseByLimits = (
  { withdrawals }: Merchant,
  amountCents: number,
  now: Temporal.Instant,
): Answer | undefined => {
  if (withdrawals.some((each) => isPending(each, now)))
    return failure(
      409,
      "Já existe um saque pendente. Aguarde a conclusão antes de solicitar outro.",
    );
  const since = now.subtract(WINDOW);
  const another = withdrawals.some(
    (each) => Temporal.Instant.compare(each.requestedAt, since) > 0 && !isReturned(each, now),
  );
  if (another) return failure(403, "Limite de um saque a cada 24 horas atingido.");
  // Nothing else counts towards the 24 hours, or the rule above would have refused.
  const night = isNight(now);
  const limitCents = night ? NIGHT_LIMIT_CENTS : DAY_LIMIT_CENTS;
  if (amountCents <= limitCents) return undefined;
  const when = night ? "noturno (20h às 6h)" : "diurno (6h às 20h)";
  return failure(403, `Limite ${when} de R$ ${reais(limitCents).toFixed(2)} em 24 horas excedido.`);
};

const isNight = (now: Temporal.Instant): boolean => {
  const { hour } = now.toZonedDateTimeISO(ZONE);
  return hour < DAY_BEGINS || hour >= NIGHT_BEGINS;
};
