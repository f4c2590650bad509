import { generateKeyPairSync, sign } from "node:crypto";

/** DER: a tag, the length of the content, and the content. */
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const text = (tag: number, value: string) => der(tag, Buffer.from(value));
const name = (commonName: string) =>
  sequence(der(0x31, sequence(oid("550403"), text(0x0c, commonName))));

const ECDSA_WITH_SHA256 = sequence(oid("2a8648ce3d040302"));
const SUBJECT_ALT_NAME = oid("551d11");
const BASIC_CONSTRAINTS = oid("551d13");
const TRUE = Buffer.from([0x01, 0x01, 0xff]);

const extension = (id: Buffer, value: Buffer) => sequence(id, der(0x04, value));

export const selfSigned = (): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const loopback = der(0x87, Buffer.from([127, 0, 0, 1]));
  const content = sequence(
    der(0xa0, Buffer.from([0x02, 0x01, 0x02])),
    der(0x02, Buffer.from([0x01])),
    ECDSA_WITH_SHA256,
    name("wallet.invalid"),
    sequence(text(0x17, "200101000000Z"), text(0x17, "491231235959Z")),
    name("wallet.invalid"),
    publicKey.export({ type: "spki", format: "der" }),
    der(
      0xa3,
      sequence(
        extension(BASIC_CONSTRAINTS, sequence(TRUE)),
        extension(SUBJECT_ALT_NAME, sequence(loopback)),
      ),
    ),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", content, privateKey));
  const certificate = sequence(content, ECDSA_WITH_SHA256, signature).toString("base64");
  const lines = certificate.match(/.{1,64}/g)?.join("\n") ?? "";
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
};
