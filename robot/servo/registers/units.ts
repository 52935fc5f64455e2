/** Ticks in one turn of the output shaft. */
export const TICKS_PER_TURN = 4096;
/** rev/min in one unit of the velocity registers. */
const RPM_PER_UNIT = 0.229;
/** rev/min^2 in one unit of the profile acceleration register. */
const RPM2_PER_UNIT = 214.577;
/** Amperes in one unit of the current registers. */
const AMPERES_PER_UNIT = 0.001;
/** Volts in one unit of the voltage registers. */
const VOLTS_PER_UNIT = 0.1;
/**
 * Units of the pulse width per tick are the position P gain by this. The manufacturer's manual says 128; servos on a test
 * bench had 256 (https://github.com/Rhoban/bam), and only that agrees with the manual's stall torque.
 */
export const P_GAIN_DIVISOR = 256;
/** Seconds in one unit of the return delay time. */
export const RETURN_DELAY_UNIT = 2e-6;
/** Seconds in one unit of the bus watchdog. */
export const WATCHDOG_UNIT = 0.02;

const TURN = 2 * Math.PI;
const RADIANS_PER_SECOND_PER_UNIT = (RPM_PER_UNIT * TURN) / 60;
const RADIANS_PER_SECOND2_PER_UNIT = (RPM2_PER_UNIT * TURN) / 3600;

/** The joint angle of a position register: 2048 is 0 rad, 4095 one tick below pi. */
export const ticksToRadians = (ticks: number) => (TURN * ticks) / TICKS_PER_TURN - Math.PI;
/** Nearest whole tick of a joint angle. */
export const radiansToTicks = (radians: number) => Math.round(((radians + Math.PI) * TICKS_PER_TURN) / TURN);

export const unitsToRadiansPerSecond = (units: number) => units * RADIANS_PER_SECOND_PER_UNIT;
export const radiansPerSecondToUnits = (speed: number) => Math.round(speed / RADIANS_PER_SECOND_PER_UNIT);

/** Profile acceleration in rad/s^2. */
export const unitsToRadiansPerSecond2 = (units: number) => units * RADIANS_PER_SECOND2_PER_UNIT;

export const unitsToAmperes = (units: number) => units * AMPERES_PER_UNIT;
export const amperesToUnits = (amperes: number) => Math.round(amperes / AMPERES_PER_UNIT);

export const unitsToVolts = (units: number) => units * VOLTS_PER_UNIT;
export const voltsToUnits = (volts: number) => Math.round(volts / VOLTS_PER_UNIT);

export const ticksToRadiansPerSecond = (ticksPerSecond: number) => (TURN * ticksPerSecond) / TICKS_PER_TURN;
