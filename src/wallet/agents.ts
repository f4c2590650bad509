import { SECOND } from "../shared/duration.ts";
import { Agent } from "../shared/undici.ts";
import type { WalletLimits } from "./limits.ts";

const MEBIBYTE = 1 << 20;

/**
 * Connections for reads. An HTTP/1 connection carries one call at a time, so the ceiling is connections / latency:
 * with a service that answers in 20 ms, 16 connections would cap the bot at 800 reads a second and 256 allow 12,800.
 * They are opened on demand and closed when idle, so the number costs nothing until it is needed.
 */
export const createReadsAgent = (limits: WalletLimits): Agent =>
  new Agent({
    allowH2: false,
    connections: 256,
    keepAliveTimeout: 10 * SECOND,
    connect: { timeout: limits.connectTimeoutMs },
    headersTimeout: limits.readHeadersTimeoutMs,
    bodyTimeout: limits.bodyTimeoutMs,
    maxResponseSize: 4 * MEBIBYTE,
  });

/**
 * Connections for calls that move money: a fresh one for each call, so that no stale socket can leave it open whether
 * the service had the request; and never HTTP/2, on which undici sends a refused request again by itself.
 */
export const createMoneyAgent = (limits: WalletLimits): Agent =>
  new Agent({
    allowH2: false,
    pipelining: 0,
    connections: 4,
    connect: { timeout: limits.connectTimeoutMs },
    headersTimeout: limits.moneyHeadersTimeoutMs,
    bodyTimeout: limits.bodyTimeoutMs,
    maxResponseSize: MEBIBYTE,
  });
