/** What became of the POSTs that carried one nonce. */
export interface NoncePosts {
  readonly attempts: number;
  /** Messages that they made; more than one when the nonce was out of its window or not enforced. */
  readonly messageIds: readonly string[];
}
