#!/usr/bin/env node
import "../dist/programs/robot-daemon/main.js";
