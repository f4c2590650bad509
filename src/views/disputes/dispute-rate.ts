import type { DisputeRate } from "../../domain/dispute-facts.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor } from "../../texts/texts.ts";
import { reply, type Reply } from "../reply.ts";

/** The rate with what it is made of, or why there is none. */
export const disputeRateView = (rate: DisputeRate, locale: Locale): Reply => {
  const { disputes, format } = textsFor(locale);
  if (!rate.known) {
    const description = disputes.rateWhy[rate.why];
    return reply({ tone: "warning", title: disputes.rateUnknown, description });
  }
  const text = disputes.rateText({
    rate: format.percent(rate.basisPoints),
    disputes: rate.disputes,
    sales: rate.sales,
    from: format.date(rate.from),
    to: format.date(rate.to),
  });
  return reply({ title: disputes.rateTitle, description: `${text}\n\n${disputes.rateHow}` });
};
