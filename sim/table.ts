/** Metres from the middle of the table, where the robot stands, to its edges. */
export const TABLE_HALF_WIDTH = 1;
