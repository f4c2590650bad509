import { expect, test } from "vitest";
import { postBody } from "#src/discord/message-body.ts";
import { followedDispute } from "#src/domain/dispute-watch.ts";
import { alertDelivery, unlistedDelivery } from "#src/jobs/disputes/alert-delivery.ts";
import { ANA } from "../../support/guild.ts";
import { NOW, sampleAccount } from "../../support/samples.ts";
import { sampleAlertRoute, sampleDispute } from "../../views/disputes/dispute-samples.ts";

const ROLE = "1180000000000000301";
const dispute = followedDispute("account-1", sampleDispute(), NOW);
const account = sampleAccount({ ownerId: ANA, alerts: "channel" });
const route = sampleAlertRoute({ roleId: ROLE, pingSteps: ["new"] });

/** What Discord would be told of mentions when the alert is posted. */
const mentionsOf = (
  step: "new" | "72h",
  { owner = account, by = route }: Partial<Readonly<{ owner: typeof account; by: typeof route }>>,
) => postBody(alertDelivery(owner, by, step, dispute, undefined, NOW).payload).allowed_mentions;

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

test("an alert by direct message notifies nobody", () => {
  expect(mentionsOf("new", { owner: { ...account, alerts: "direct" } })).toEqual({ parse: [] });
  expect(mentionsOf("new", { by: { ...route, active: false } })).toEqual({ parse: [] });
});
