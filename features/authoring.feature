Feature: Create, publish, install and update an app
  The programs as an author uses them, with a hub, git, a daemon and a simulated robot. The templates are run as well.

  Background:
    Given a development hub and a separate apps' environment

  @own-daemon
  Scenario: default template | create, publish, install, change, publish, update | app running
    Given a daemon with an awake robot
    When "my_app" is created from the template "default"
    Then its check passes
    When it is published
    And the install of space "maker/my_app" is requested
    Then the job ends as "done" in the stage "record"
    And "my_app" can be started
    And "my_app" moves the robot
    When the stop is requested
    Then the slot is free with the state "done"
    And no app has an update
    When its author makes it print "the second edition"
    And it is published
    Then "my_app" has an update
    When the update of "my_app" is requested
    Then the job ends as "done" in the stage "record"
    And "my_app" can be started
    And eventually "my_app" printed "the second edition"

  @own-daemon @port-8042 @thorough
  Scenario: conversation template | no model server | the app says that a key is missing, moves and repeats what it hears
    Given a daemon with a microphone recording of speech
    When "chatty" is created from the template "conversation"
    Then its check passes
    When it is installed from its folder
    And a client listens to the speaker
    Then "chatty" can be started
    And "chatty" moves the robot
    And its status "trouble" contains "There is no key yet"
    And the client receives a sound
    When the stop is requested
    Then the slot is free with the state "done"

  @own-daemon @port-8042 @thorough
  Scenario: conversation template | speech | the model calls a tool and answers, the robot moves and speaks
    Given a daemon with a microphone recording of speech
    And a model server that transcribes "Please dance", calls dance and answers "Here I go" with a tone of 500 Hz
    When "chatty" is created from the template "conversation"
    And it is installed from its folder
    And a client listens to the speaker
    Then "chatty" can be started
    When its page is set to use the model server
    Then its status "heard" contains "Please dance"
    And its status "said" contains "Here I go"
    And the model server received the tool result "moving"
    And the client receives a tone of 500 Hz
    And "chatty" moves the robot
    When the stop is requested
    Then the slot is free with the state "done"
