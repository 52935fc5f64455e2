const DEGREE = Math.PI / 180;

/** The head's yaw relative to the body stays within plus and minus this, radians: beyond it the rods meet. */
export const MAX_HEAD_BODY_YAW = 65 * DEGREE;
/** The head's roll and pitch each stay within plus and minus this, radians. */
export const MAX_ROLL_PITCH = 40 * DEGREE;
/** The body's yaw stays within plus and minus this, radians: its cable ends the turn. */
export const MAX_BODY_YAW = 160 * DEGREE;
/** How far the head turns alone, radians, before the body follows when its yaw is left to it. */
export const BODY_FOLLOWS_FROM = 40 * DEGREE;
