/** The entry-point group of robot apps. */
export const APP_GROUP = "robot_apps";

/** The tag by which a hub's space is known as a robot app, in the YAML head of its README. */
export const APP_TAG = "robot_python_app";
