import { alertSteps } from "#src/domain/dispute-alert.ts";
import { followedDispute } from "#src/domain/dispute-watch.ts";
import { type AlertFacts, disputeAlert, repeatedAlert } from "#src/views/disputes/dispute-alert.ts";
import { disputeDetailView } from "#src/views/disputes/dispute-detail.ts";
import { disputeListView } from "#src/views/disputes/dispute-list.ts";
import { NOW } from "../../support/samples.ts";
import type { Render } from "../hostile-samples.ts";
import { detailFacts, hostileDispute, listFacts, sampleRow } from "./dispute-samples.ts";

export const PINGS = { userId: "1180000000000000011", roleId: "1180000000000000301" };

export const alertOf =
  (step: (typeof alertSteps)[number], pings?: AlertFacts["pings"]): Render =>
  (text, locale) => {
    const dispute = { ...hostileDispute(text), infractionId: text };
    const watched = followedDispute("account-1", dispute, NOW);
    return disputeAlert({
      step,
      dispute: watched,
      pings,
      at: NOW,
      locale,
      reference: "ref a1b2c3d4",
    });
  };
const said = (text: string) => ({ status: text, analysisStatus: text, txid: text });
export const rowsOf = (text: string) => [
  sampleRow({ state: "other", ...said(text) }),
  sampleRow({ infractionId: "other-1", state: undefined, ...said(text) }),
  sampleRow({ infractionId: text, state: "other", ...said(text) }),
];

/** Every message with dispute text from the service; ids are hostile too, although the client rejects such ids. */
export const disputeViews: Readonly<Record<string, Render>> = {
  detail: (text, locale) =>
    disputeDetailView(detailFacts({ dispute: hostileDispute(text), state: "other", locale })),
  "detail of an id that is none": (text, locale) => {
    const dispute = { ...hostileDispute(text), infractionId: text };
    return disputeDetailView(detailFacts({ dispute, state: "needs_answer", locale }));
  },
  list: (text, locale) => disputeListView(listFacts({ rows: rowsOf(text), locale })),
  ...Object.fromEntries(
    alertSteps.flatMap((step) => {
      const again: Render = (text, locale) =>
        repeatedAlert(alertOf(step, PINGS)(text, locale), "ref e5f6a7b8", locale);
      return [
        [`${step} in direct messages`, alertOf(step)],
        [`${step} in a channel`, alertOf(step, PINGS)],
        [`${step} once more`, again],
      ];
    }),
  ),
};
