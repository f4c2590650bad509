import { expect, test } from "vitest";
import type { Account } from "#src/accounts/account.ts";
import type { AlertRoute } from "#src/disputes/dispute-alert.ts";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import { alertDelivery, unlistedDelivery } from "#src/disputes/dispute-notifier.job.ts";
import { postBody } from "#src/discord/message-body.ts";
import { stepTitle } from "../support/alert-title.ts";
import { NOW, sampleAccount } from "../support/samples.ts";
import { sampleAlertRoute, sampleDispute } from "./dispute-samples.ts";
import { ANA } from "../support/guild.ts";

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

const ROLE = "1180000000000000301";
const followed = followedDispute("account-1", sampleDispute(), NOW);
const account = sampleAccount({ ownerId: ANA, alerts: "channel" });
const route = sampleAlertRoute({ roleId: ROLE, pingSteps: ["new"] });

/** The mentions of the posted alert. */
const mentionsOf = (
  step: "new" | "72h",
  { owner = account, by = route }: Partial<Readonly<{ owner: typeof account; by: typeof route }>>,
) => postBody(alertDelivery(owner, by, step, followed, undefined, NOW).payload).allowed_mentions;

test("an alert in a channel notifies its owner, and the role that the admin chose for the step", () => {
  expect(mentionsOf("new", {})).toEqual({ parse: [], users: [ANA], roles: [ROLE] });
  expect(mentionsOf("72h", {})).toEqual({ parse: [], users: [ANA] });
  expect(mentionsOf("new", { by: { ...route, roleId: undefined } })).toEqual({
    parse: [],
    users: [ANA],
  });
});

test("that some are not shown notifies their owner, whom it is about, and no role", () => {
  const { payload } = unlistedDelivery(account, route, { pending: 2, count: 1 }, undefined, NOW);
  expect(postBody(payload).allowed_mentions).toEqual({ parse: [], users: [ANA] });
});

test("each names the key in a direct message, where several accounts meet, and in no channel", () => {
  const textsOf = (owner: typeof account) =>
    [
      unlistedDelivery(owner, route, { pending: 2, count: 1 }, undefined, NOW),
      alertDelivery(owner, route, "new", followed, undefined, NOW),
    ].map(({ payload }) => JSON.stringify(payload));
  const channel = { ...account, keyLast4: "y7Qz" };
  for (const text of textsOf({ ...channel, alerts: "direct" }))
    expect(text).toContain('"Chave","value":"`…y7Qz`"');
  for (const text of textsOf(channel)) expect(text).not.toMatch(/Chave|y7Qz/);
});

test("an alert by direct message notifies nobody", () => {
  expect(mentionsOf("new", { owner: { ...account, alerts: "direct" } })).toEqual({ parse: [] });
  expect(mentionsOf("new", { by: { ...route, active: false } })).toEqual({ parse: [] });
});
