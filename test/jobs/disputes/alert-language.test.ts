import { expect, test } from "vitest";
import type { Account } from "#src/domain/account.ts";
import type { AlertRoute } from "#src/domain/dispute-alert.ts";
import { followedDispute } from "#src/domain/dispute-watch.ts";
import { alertDelivery } from "#src/jobs/disputes/alert-delivery.ts";
import { stepTitle } from "../../support/alert-title.ts";
import { NOW, sampleAccount } from "../../support/samples.ts";
import { sampleAlertRoute, sampleDispute } from "../../views/disputes/dispute-samples.ts";

const dispute = followedDispute("account-1", sampleDispute(), NOW);
const titleOf = (account: Partial<Account>, route: AlertRoute | undefined) =>
  stepTitle(
    alertDelivery(sampleAccount(account), route, "24h", dispute, undefined, NOW).payload.embeds?.[0]
      ?.title ?? "",
  );
const PORTUGUESE = "MED: menos de 24 horas para responder";
const ENGLISH = "MED: less than 24 hours to answer";

test.each([
  ["in the owner's language", { locale: "en-US" }, undefined, ENGLISH],
  ["in the owner's language before the channel's", { locale: "en-US" }, "pt-BR", ENGLISH],
  ["in the channel's when the owner's is not known", {}, "en-US", ENGLISH],
  ["in Portuguese when nothing is known", {}, undefined, PORTUGUESE],
] as const)("a direct alert is %s", (_how, account, locale, title) => {
  const route = locale && sampleAlertRoute({ locale });
  expect(titleOf({ alerts: "direct", ...account }, route)).toBe(title);
});

test("an alert in a channel is in the channel's language, whoever owns the key", () => {
  const account = { alerts: "channel", locale: "en-US" } as const;
  expect(titleOf(account, sampleAlertRoute({ locale: "pt-BR" }))).toBe(PORTUGUESE);
});
