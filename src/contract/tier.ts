/** The tiers of the service, with what each allows a key (interface: Rate limits). */
export const tiers = {
  free_trial: { perMinute: 20, perSecond: 2 },
  starter: { perMinute: 30, perSecond: 3 },
  growth: { perMinute: 500, perSecond: 25 },
  professional: { perMinute: 1000, perSecond: 50 },
  enterprise: { perMinute: 5000, perSecond: 100 },
} as const;

/** A subscription tier of the service. */
export type Tier = keyof typeof tiers;
