import type { DeliveryPayload } from "#src/delivery/delivery.ts";
import { alertSteps } from "#src/disputes/dispute-alert.ts";
import {
  type AlertFacts,
  alertMoveNotice,
  disputeAlert,
  repeatedAlert,
  replacedAlert,
} from "#src/disputes/dispute-alert.view.ts";
import { disputeDetailView } from "#src/disputes/dispute-detail.view.ts";
import { disputeListView } from "#src/disputes/dispute-list.view.ts";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import type { Locale } from "#src/shared/locale.ts";
import { NOW } from "../support/samples.ts";
import { fields, type HostileView, prose, type Render } from "../ui/hostile-samples.ts";
import {
  detailFacts,
  hostileDispute,
  hostileRows,
  listFacts,
  sampleRow,
} from "./dispute-samples.ts";

const REFERENCE = "ref a1b2c3d4";
/** A person and a role that an alert in a channel names. */
export const PINGS = { userId: "1180000000000000011", roleId: "1180000000000000301" };

const disputeOf = (text: string) => ({ ...hostileDispute(text), infractionId: text });

const alerts = (pings?: AlertFacts["pings"]): readonly Render[] =>
  alertSteps.map((step) => (text, locale) => {
    const dispute = followedDispute("account-1", disputeOf(text), NOW);
    return disputeAlert({ step, dispute, pings, at: NOW, locale, reference: REFERENCE });
  });

type Edit = (alert: DeliveryPayload, locale: Locale) => DeliveryPayload;
const edited = (edit: Edit): readonly Render[] =>
  alerts(PINGS).map(
    (alert): Render =>
      (...given) =>
        edit(alert(...given), given[1]),
  );

/** The views of disputes, whose words come from payers, from buyers and from the service. */
export const hostileDisputes = {
  alertMoveNotice: prose((guildName, locale) =>
    alertMoveNotice({
      guildId: "1180000000000000001",
      guildName,
      channelId: "118",
      locale,
      reference: REFERENCE,
    }),
  ),
  disputeDetailView: fields(
    (text, locale) =>
      disputeDetailView(detailFacts({ dispute: hostileDispute(text), state: "other", locale })),
    (text, locale) =>
      disputeDetailView(detailFacts({ dispute: disputeOf(text), state: "needs_answer", locale })),
  ),
  disputeListView: {
    ...fields((text, locale) => {
      const named = sampleRow({ infractionId: "other-2", product: text });
      return disputeListView(listFacts({ rows: [...hostileRows(text), named], locale }));
    }),
    place: "prose",
    namesOptions: true,
  },
  disputeAlert: fields(...alerts(), ...alerts(PINGS)),
  repeatedAlert: fields(...edited((alert, locale) => repeatedAlert(alert, "ref e5f6a7b8", locale))),
  replacedAlert: fields(...edited((alert, locale) => replacedAlert(alert, true, locale))),
} as const satisfies Readonly<Record<string, HostileView>>;
