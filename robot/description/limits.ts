import { DEGREE } from "../../common/degree.ts";

/** The head's yaw relative to the body stays within plus and minus this, radians: beyond it the rods touch. */
export const MAX_HEAD_BODY_YAW = 65 * DEGREE;
/** The head's roll and pitch each stay within plus and minus this, radians. */
export const MAX_ROLL_PITCH = 40 * DEGREE;
/** The body's yaw stays within plus and minus this, radians: its cable allows no more. */
export const MAX_BODY_YAW = 160 * DEGREE;
/** Yaw of the head relative to the body, radians, above which the body follows when the body yaw is automatic. */
export const BODY_FOLLOW_THRESHOLD = 40 * DEGREE;
