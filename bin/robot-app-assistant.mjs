#!/usr/bin/env node
import "../dist/programs/robot-app-assistant/main.js";
