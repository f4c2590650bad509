import { chargeStates } from "#src/charges/charge.ts";
import {
  chargeNotice,
  chargePost,
  chargeView,
  newChargeView,
  unpostedNotice,
} from "#src/charges/charge.view.ts";
import type { Locale } from "#src/shared/locale.ts";
import { fields, type HostileView, type Render } from "../ui/hostile-samples.ts";
import { sampleCharge } from "./charge-samples.ts";

const QR = new Uint8Array([1]);
const REFERENCE = "ref a1b2c3d4";

const chargeOf = (text: string, locale: Locale) =>
  sampleCharge({ description: text, txid: text, locale, cardLocale: locale });

/** Renders of a charge in each of its states. */
const inEachState = (
  render: (charge: ReturnType<typeof chargeOf>, text: string, locale: Locale) => ReturnType<Render>,
): HostileView =>
  fields(
    ...chargeStates.map(
      (state): Render =>
        (text, locale) =>
          render({ ...chargeOf(text, locale), state }, text, locale),
    ),
  );

/** The views of charges, whose description and txid come from outside. */
export const hostileCharges = {
  chargeView: inEachState((charge, said, locale) => chargeView({ charge, qr: QR, said }, locale)),
  newChargeView: inEachState((charge, _, locale) => newChargeView({ charge, qr: QR }, locale)),
  chargePost: inEachState((charge) => chargePost(charge, REFERENCE)),
  chargeNotice: inEachState((charge) => chargeNotice(charge, REFERENCE)),
  unpostedNotice: inEachState((charge) => unpostedNotice(charge, REFERENCE, "channel_lost")),
} as const;
