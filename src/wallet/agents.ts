import type { LookupFunction } from "node:net";
import { SECOND } from "../shared/duration.ts";
import { Agent } from "../shared/undici.ts";
import type { WalletLimits } from "./limits.ts";
import { createNameLookup } from "./name-lookup.ts";

const MEBIBYTE = 1 << 20;

/**
 * Connections for reads. An HTTP/1 connection carries one call at a time, so the ceiling is connections / latency:
 * with a service that answers in 20 ms, 16 connections would cap the bot at 800 reads a second and 256 allow 12,800.
 * They are opened on demand and closed when idle, so the number costs nothing until it is needed.
 */
export const createReadsAgent = (
  limits: WalletLimits,
  lookup: LookupFunction = createNameLookup(),
): Agent =>
  new Agent({
    allowH2: false,
    connections: 256,
    keepAliveTimeout: 10 * SECOND,
    connect: { timeout: limits.connectTimeoutMs, lookup },
    headersTimeout: limits.readHeadersTimeoutMs,
    bodyTimeout: limits.bodyTimeoutMs,
    maxResponseSize: 4 * MEBIBYTE,
  });

/**
 * Connections for calls that move money: a fresh one for each call, so that no stale socket can leave it open whether
 * the service had the request; and never HTTP/2, on which undici sends a refused request again by itself. Calls that
 * hang keep none waiting: an account has at most three under way (its pace within one deadline), so that only 170
 * accounts that hang at once could take all connections.
 */
export const createMoneyAgent = (
  limits: WalletLimits,
  lookup: LookupFunction = createNameLookup(),
): Agent =>
  new Agent({
    allowH2: false,
    pipelining: 0,
    connections: limits.moneyConnections,
    connect: { timeout: limits.connectTimeoutMs, lookup },
    headersTimeout: limits.moneyHeadersTimeoutMs,
    bodyTimeout: limits.bodyTimeoutMs,
    maxResponseSize: MEBIBYTE,
  });
