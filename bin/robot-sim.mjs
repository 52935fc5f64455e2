#!/usr/bin/env node
import "../dist/programs/robot-sim/main.js";
