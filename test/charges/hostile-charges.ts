import { chargeStates } from "#src/charges/charge.ts";
import {
  chargeNotice,
  chargePost,
  chargeView,
  newChargeView,
  unpostedNotice,
} from "#src/charges/charge.view.ts";
import type { Locale } from "#src/shared/locale.ts";
import type { HostileView } from "../ui/hostile-views.ts";
import { sampleCharge } from "./charge-samples.ts";

type Render = HostileView["renders"][number];

const QR = new Uint8Array([1]);
const REFERENCE = "ref a1b2c3d4";

const chargeOf = (text: string, locale: Locale) =>
  sampleCharge({ description: text, txid: text, locale });

/** Renders of a charge in each of its states. */
const inEachState = (
  render: (charge: ReturnType<typeof chargeOf>, text: string, locale: Locale) => ReturnType<Render>,
): HostileView => ({
  renders: chargeStates.map(
    (state) => (text: string, locale: Locale) =>
      render({ ...chargeOf(text, locale), state }, text, locale),
  ),
  prefix: "<",
  place: "fields",
});

/** The views of charges, whose description and txid come from outside. */
export const hostileCharges = {
  chargeView: inEachState((charge, said, locale) => chargeView({ charge, qr: QR, said }, locale)),
  newChargeView: inEachState((charge, _, locale) => newChargeView({ charge, qr: QR }, locale)),
  chargePost: inEachState((charge) => chargePost(charge, REFERENCE)),
  chargeNotice: inEachState((charge) => chargeNotice(charge, REFERENCE)),
  unpostedNotice: inEachState((charge) => unpostedNotice(charge, REFERENCE)),
} as const;
