/** V that the robot's maker supplies. It is more than the servos' own limit of 7.0 V, so they report it (0x01) and work. */
const SUPPLY = { from: 6.8, to: 7.6 } as const;
/** As text: `6.8 to 7.6 V`. */
export const SUPPLY_TEXT = `${SUPPLY.from} to ${SUPPLY.to} V`;

/** V at a servo with which the robot runs: from what its servos need to a new supply without load. */
export const ACCEPTED_SUPPLY = { from: 3.7, to: 7.8 } as const;

/** Whether the robot runs with this voltage at a servo, which measures in steps of 0.1 V. */
export function isAcceptedSupply(volts: number): boolean {
  const measured = Math.round(10 * volts) / 10;
  return measured >= ACCEPTED_SUPPLY.from && measured <= ACCEPTED_SUPPLY.to;
}
