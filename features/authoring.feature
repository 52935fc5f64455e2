Feature: From an idea to a robot that moves
  The programs as an author uses them, with a hub, git, a daemon and a simulated robot: an app is created, published and
  installed, and what it is created from does what it promises.

  Background:
    Given a hub of our own, and an apps' environment of our own

  @own-daemon
  Scenario: created, published, installed, changed, published again, updated
    Given a daemon with an awake robot
    When "my_app" is created from the template "default"
    Then its check finds nothing
    When it is published
    And the install of space "maker/my_app" is requested
    Then the job ends as "done" in the stage "record"
    And "my_app" can be started
    And "my_app" moves the robot
    When the stop is requested
    Then the slot is free, its app "done"
    And no app has an update
    When its author lets it print "the second edition"
    And it is published
    Then "my_app" has an update
    When the update of "my_app" is requested
    Then the job ends as "done" in the stage "record"
    And "my_app" can be started
    And within 10 seconds "my_app" printed "the second edition"

  @own-daemon
  Scenario: the conversation, before there is anybody to talk to
    Given a daemon whose microphone hears somebody speak
    When "chatty" is created from the template "conversation"
    Then its check finds nothing
    When it is installed from its folder
    And somebody listens to the speaker
    Then "chatty" can be started
    And "chatty" moves the robot
    And its page tells the "trouble" "There is no key yet"
    And a tone of 300 Hz is heard
    When the stop is requested
    Then the slot is free, its app "done"

  @own-daemon
  Scenario: the conversation: somebody speaks, the model calls a tool and answers, the robot moves and speaks
    Given a daemon whose microphone hears somebody speak
    And a model that hears "Please dance", dances and says "Here I go" with a tone of 500 Hz
    When "chatty" is created from the template "conversation"
    And it is installed from its folder
    And somebody listens to the speaker
    Then "chatty" can be started
    When its page is told to use the model
    Then its page tells the "heard" "Please dance"
    And its page tells the "said" "Here I go"
    And the model was told that the robot is "moving"
    And a tone of 500 Hz is heard
    And "chatty" moves the robot
    When the stop is requested
    Then the slot is free, its app "done"
