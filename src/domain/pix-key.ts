export type PixKeyType = "cpf" | "cnpj" | "email" | "phone" | "random";

/** A PIX key as the network writes it. Source: product notes 4. */
export interface PixKey {
  /** `unknown`: no form that we know; the service decides. */
  readonly type: PixKeyType | "unknown";
  /** Normalised: digits of a CPF, upper case of a CNPJ, lower case of an e-mail or a random key, E.164 of a phone. */
  readonly value: string;
  /** Check digits or form are wrong, although it looks like that type: worth a warning. */
  readonly suspect: boolean;
}

/** What was typed: a key, or eleven digits that are both a valid CPF and a mobile number. */
export type PixKeyReading =
  | { readonly kind: "key"; readonly key: PixKey }
  | { readonly kind: "cpf_or_phone"; readonly cpf: PixKey; readonly phone: PixKey }
  | { readonly kind: "unusable" };
